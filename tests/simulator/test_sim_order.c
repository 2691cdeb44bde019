/* The orders: each does all there is to do, once, and those with a seed do it again the same way. */
#include "cpu/simulator/sim_order.h"
#include "tests/unit.h"

enum { BLOCKS_MAX = 1000, COUNT_MAX = 1024, SEEDS = 20 };

static void shuffle_by(uint64_t seed)
{
    sim_order = (struct sim_order){SIM_SHUFFLED, SIM_COPY_EITHER, 0, seed};
    sim_order_begin(0);
}

static void list_blocks(uint64_t *blocks, unsigned count)
{
    sim_order_launch(count);
    for (unsigned turn = 0; turn < count; turn++)
        blocks[turn] = sim_order_block(turn);
}

static void assert_each_once(const uint64_t *numbers, unsigned count)
{
    bool seen[COUNT_MAX] = {false};
    for (unsigned turn = 0; turn < count; turn++) {
        assert_true(numbers[turn] < count && !seen[numbers[turn]]);
        seen[numbers[turn]] = true;
        assert_true(sim_order.sequence != SIM_FORWARD || numbers[turn] == turn);
        assert_true(sim_order.sequence != SIM_REVERSE || numbers[turn] == count - 1 - turn);
    }
}

TEST(each_order_comes_to_each_block_and_thread_once)
{
    static const unsigned counts[] = {1, 2, 7, 33, 64, COUNT_MAX};
    uint64_t numbers[COUNT_MAX];
    unsigned threads[COUNT_MAX];
    for (size_t order = 0; order < sim_order_count(); order++)
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            (void)sim_order_use(order);
            sim_order_begin(0);
            list_blocks(numbers, counts[i]);
            assert_each_once(numbers, counts[i]);
            sim_order_threads(threads, counts[i]);
            for (unsigned turn = 0; turn < counts[i]; turn++)
                numbers[turn] = threads[turn];
            assert_each_once(numbers, counts[i]);
        }
}

/* Neighbours do not follow each other, wherever they begin. */
TEST(shuffled_blocks_are_in_no_row)
{
    uint64_t blocks[BLOCKS_MAX];
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        unsigned next = 0;
        shuffle_by(seed);
        list_blocks(blocks, BLOCKS_MAX);
        for (unsigned turn = 1; turn < BLOCKS_MAX; turn++)
            next += blocks[turn] == blocks[turn - 1] + 1 || blocks[turn] + 1 == blocks[turn - 1];
        assert_true(next < BLOCKS_MAX / 10);
    }
}

/* What becomes of blocks, and of the threads of one of them. */
struct shuffled {
    uint64_t blocks[BLOCKS_MAX];
    unsigned threads[64];
};

static void shuffle(uint64_t seed, uint64_t turn, struct shuffled *to)
{
    shuffle_by(seed);
    list_blocks(to->blocks, BLOCKS_MAX);
    sim_order_begin(turn);
    sim_order_threads(to->threads, 64);
}

/* Whatever was begun before: on another core, say. */
TEST(each_seed_and_turn_has_an_order_of_its_own_again_and_again)
{
    enum { TURNS = 4, ALL = SEEDS * TURNS };
    static struct shuffled first[ALL], again;
    unsigned same_first = 0;
    for (unsigned i = 0; i < ALL; i++) {
        shuffle(i / TURNS, i % TURNS, &first[i]);
        for (unsigned before = 0; before < i; before++) {
            const bool is_other_seed = before / TURNS != i / TURNS;
            assert_memory_not_equal(first[i].threads, first[before].threads, sizeof again.threads);
            assert_int_equal(memcmp(first[i].blocks, first[before].blocks, sizeof again.blocks) != 0, is_other_seed);
            same_first += is_other_seed && first[i].blocks[0] == first[before].blocks[0];
        }
    }
    assert_true(same_first < TURNS * ALL / 2);
    for (unsigned i = ALL; i-- > 0;) {
        shuffle(i / TURNS, i % TURNS, &again);
        assert_memory_equal(&again, &first[i], sizeof again);
    }
}

/* Each time otherwise, and no thread is kept from any place. */
TEST(threads_are_shuffled_anew_each_time)
{
    enum { TIMES = 1000, THREADS = 8 };
    unsigned threads[THREADS], before[THREADS] = {0}, times[THREADS][THREADS] = {{0}}, same = 0;
    shuffle_by(1);
    for (unsigned time = 0; time < TIMES; time++) {
        sim_order_threads(threads, THREADS);
        same += memcmp(threads, before, sizeof before) == 0;
        memcpy(before, threads, sizeof before);
        for (unsigned turn = 0; turn < THREADS; turn++)
            times[turn][threads[turn]]++;
    }
    assert_true(same < 5);
    for (unsigned turn = 0; turn < THREADS; turn++)
        for (unsigned thread = 0; thread < THREADS; thread++)
            assert_in_range(times[turn][thread], TIMES / THREADS / 2, TIMES / THREADS * 2);
}

TEST(copies_and_warps_go_one_way_or_either_by_chance)
{
    static const struct {
        bool (*asks)(void);
        struct sim_order order;
        unsigned least, most; /* times of 100 that it says yes */
    } cases[] = {
        {sim_order_copies_now, {.sequence = SIM_SHUFFLED, .copies = SIM_COPY_LATE}, 0, 0},
        {sim_order_copies_now, {.sequence = SIM_SHUFFLED, .copies = SIM_COPY_EARLY}, 100, 100},
        {sim_order_copies_now, {.sequence = SIM_SHUFFLED, .copies = SIM_COPY_EITHER}, 25, 75},
        {sim_order_warp_goes_ahead, {.sequence = SIM_SHUFFLED}, 25, 75},
        {sim_order_warp_goes_ahead, {.sequence = SIM_FORWARD}, 100, 100},
        {sim_order_warp_goes_ahead, {.sequence = SIM_REVERSE}, 100, 100},
    };
    for (size_t i = 0; i < LENGTH(cases); i++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            unsigned yes = 0;
            sim_order = cases[i].order;
            sim_order.seed = seed;
            sim_order_begin(0);
            for (int time = 0; time < 100; time++)
                yes += cases[i].asks();
            assert_in_range(yes, cases[i].least, cases[i].most);
        }
}
