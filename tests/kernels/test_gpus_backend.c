/* Several GPUs on one problem, without any: what each has, what is looked at, when they are opened. */
#include "bench/table/cards.h"
#include "fake_gpus.h"
#include "tests/unit.h"

extern const struct backend gpus_backend;

static const char *open_gpus(void)
{
    return gpus_backend.open(&(struct backend_settings){.device = -1});
}

static int set_up(void **state)
{
    fake_gpus_reset();
    return 0;
}

static int tear_down(void **state)
{
    gpus_backend.close();
    assert_int_equal(fake.opened, 0);
    assert_int_equal(fake.allocated, 0);
    assert_int_equal(fake.events, 0);
    assert_ptr_equal(cuda, &fake_gpu);
    assert_int_equal(fake.device, 0);
    return 0;
}

AROUND_EACH_TEST(set_up, tear_down)

static void assert_says(const char *said, const char *expected)
{
    assert_non_null(said);
    assert_string_equal(said, expected);
}

TEST(why_there_are_no_several_is_said)
{
    fake.count = 1;
    assert_says(open_gpus(), "needs two GPUs, one is there");
    fake.count = 2;
    fake.lacks_peers = true;
    assert_says(open_gpus(), "GPU 0 cannot read the memory of GPU 1");
    fake.lacks_peers = false;
    fake.multiprocessors[1] = 90;
    assert_says(open_gpus(), "GPU 1 is of another kind than GPU 0");
    fake.multiprocessors[1] = 100;
    fake_gpu.stream = NULL;
    assert_says(open_gpus(), "the CUDA backend could not be opened");
}

/* A run on one GPU takes nothing of the others; who times without a problem has them, too. */
TEST(they_are_opened_by_the_first_that_needs_them)
{
    struct device_info info;
    double seconds;
    bool lapsed;
    assert_null(open_gpus());
    gpus_backend.describe(&info);
    assert_int_equal(info.cards, GPUS);
    assert_string_equal(info.name, "3 x a GPU");
    assert_string_equal(info.uuid, "GPU-00000000+01000000+02000000");
    assert_null(gpus_backend.finish());
    assert_int_equal(fake.opened, 0);
    assert_null(gpus_backend.hold());
    assert_int_equal(fake.opened, GPUS);
    assert_null(gpus_backend.evict(NULL, 0, false));
    assert_null(gpus_backend.mark(0));
    assert_null(gpus_backend.spin(5));
    assert_null(gpus_backend.mark(1));
    assert_null(gpus_backend.let_go(&lapsed));
    assert_true(lapsed); /* one of them has */
    assert_null(gpus_backend.finish());
    fake.seconds[1] = 3;
    assert_null(gpus_backend.elapsed(0, 1, &seconds));
    assert_true(seconds == 3); /* that of the last one */
    assert_true(fake.held == GPUS && fake.let_go == GPUS && fake.evicted == GPUS && fake.spun == GPUS);
    assert_int_equal(fake.opened, GPUS);
    assert_int_equal(gpus_backend.held_memory(), 10 * GPUS);
}

/* None begins what is timed before all have come there, and none waits for the others at the end. */
TEST(they_begin_together)
{
    assert_null(open_gpus());
    assert_null(gpus_backend.mark(0));
    assert_int_equal(fake.waits_when_marked, GPUS - 1);
    assert_null(gpus_backend.mark(1));
    assert_int_equal(fake.waits_when_marked, GPUS - 1);
    assert_int_equal(fake.marked, 2 * GPUS);
}

TEST(the_card_with_the_least_memory_says_how_much_there_is)
{
    void *memory, *more;
    assert_null(open_gpus());
    fake.free_bytes[1] = 1000; /* half of it is for problems */
    for (int problem = 0; problem < 5; problem++) {
        assert_null(gpus_backend.allocate(400, EDGE_ANY, &memory));
        assert_non_null(gpus_backend.allocate(400, EDGE_ANY, &more));
        gpus_backend.release(memory);
    }
}

TEST(a_card_that_cannot_be_opened_is_named_each_time)
{
    void *memory;
    bool lapsed;
    assert_null(open_gpus());
    fake.has_failed[1] = true;
    for (int i = 0; i < 2; i++) {
        assert_says(gpus_backend.allocate(4, EDGE_ANY, &memory), "GPU 1 has failed");
        assert_says(gpus_backend.let_go(&lapsed), "GPU 1 has failed");
        assert_int_equal(gpus_backend.free_memory(), 0);
    }
}

static unsigned char *of_card(int card, const void *memory)
{
    const struct cards *cards = gpus_backend.stream();
    return cards_at(cards, card, memory);
}

enum { ROW = 4, OTHERS = 0xff };

TEST(of_a_split_buffer_each_has_its_rows_and_the_rest_cannot_be_used)
{
    for (int64_t rows = 1; rows < 8; rows++) {
        unsigned char host[8 * ROW], back[sizeof host] = {0};
        const size_t bytes = (size_t)rows * ROW;
        void *memory;
        for (size_t i = 0; i < bytes; i++)
            host[i] = (unsigned char)i;
        set_up(state);
        assert_null(open_gpus());
        assert_null(gpus_backend.allocate(bytes, EDGE_ANY, &memory));
        gpus_backend.split(memory, bytes, rows);
        assert_null(gpus_backend.upload(memory, host, bytes));
        for (int card = 0; card < GPUS; card++)
            for (size_t i = 0; i < bytes; i++) {
                const int64_t row = (int64_t)i / ROW;
                const bool has = row >= cards_row(GPUS, rows, card) && row < cards_row(GPUS, rows, card + 1);
                assert_int_equal(of_card(card, memory)[i], has ? host[i] : OTHERS);
            }
        /* Any piece of it is put together, also one that lies on one card alone. */
        for (size_t from = 0; from < bytes; from++)
            for (size_t length = 1; from + length <= bytes; length++) {
                memset(back, 0, sizeof back);
                assert_null(gpus_backend.download(back, (char *)memory + from, length));
                assert_memory_equal(back, host + from, length);
                memset(back, 0, sizeof back);
                assert_null(gpus_backend.peek(back, (char *)memory + from, length));
                assert_memory_equal(back, host + from, length);
            }
        assert_null(gpus_backend.fill(memory, bytes, &(struct made){.seed = 7}));
        for (int card = 0; card < GPUS; card++) {
            const int64_t first = cards_row(GPUS, rows, card) * ROW, end = cards_row(GPUS, rows, card + 1) * ROW;
            for (int64_t i = 0; i < (int64_t)bytes; i++)
                assert_int_equal(of_card(card, memory)[i], i >= first && i < end ? 7 : OTHERS);
        }
        gpus_backend.release(memory);
        tear_down(state);
    }
    set_up(state);
}

/* What lies around a split buffer, and where one was before. */
TEST(other_memory_is_whole_on_each)
{
    enum { SPLIT = 9, AROUND = 5 };
    unsigned char host[SPLIT + AROUND];
    void *memory, *whole;
    for (size_t i = 0; i < sizeof host; i++)
        host[i] = (unsigned char)(i + 1);
    assert_null(open_gpus());
    assert_null(gpus_backend.allocate(sizeof host, EDGE_ANY, &memory));
    gpus_backend.split(memory, SPLIT, SPLIT);
    assert_null(gpus_backend.upload((char *)memory + SPLIT, host + SPLIT, AROUND));
    for (int card = 0; card < GPUS; card++)
        assert_memory_equal(of_card(card, memory) + SPLIT, host + SPLIT, AROUND);
    gpus_backend.release(memory);
    assert_null(gpus_backend.allocate(sizeof host, EDGE_ANY, &whole));
    assert_ptr_equal(whole, memory);
    assert_null(gpus_backend.upload(whole, host, sizeof host));
    for (int card = 0; card < GPUS; card++)
        assert_memory_equal(of_card(card, whole), host, sizeof host);
    gpus_backend.release(whole);
}

/* An answer, and what is compared with it, is one card's, and that of the next call the next one's; cards without rows
 * need not have it. */
TEST(what_is_looked_at_is_of_one_card_after_the_other)
{
    for (int64_t rows = 1; rows <= 5; rows++) {
        int with_rows = 0;
        while (cards_row(GPUS, rows, with_rows) < rows && with_rows < GPUS)
            with_rows++;
        unsigned char seen, other;
        void *input, *answer;
        int looked[GPUS] = {0};
        set_up(state);
        assert_null(open_gpus());
        assert_null(gpus_backend.allocate((size_t)rows, EDGE_ANY, &input));
        gpus_backend.split(input, (size_t)rows, rows);
        assert_null(gpus_backend.allocate(2, EDGE_ANY, &answer));
        for (int call = 0; call < 6 * GPUS; call++) {
            const struct cards *cards = gpus_backend.stream();
            for (int card = 0; card < GPUS; card++)
                memset(cards_at(cards, card, answer), card, 2);
            assert_null(gpus_backend.download(&other, (char *)answer + 1, 1));
            assert_null(gpus_backend.peek(&seen, answer, 1));
            assert_int_equal(seen, other);
            assert_null(gpus_backend.download(&seen, answer, 1));
            assert_int_equal(seen, other);
            looked[seen]++;
        }
        for (int card = 0; card < GPUS; card++)
            assert_int_equal(looked[card], card < with_rows ? 6 * GPUS / with_rows : 0);
        gpus_backend.release(answer);
        gpus_backend.release(input);
        tear_down(state);
    }
    set_up(state);
}

TEST(one_graph_is_queued_on_the_first_card_and_the_others_wait_for_it)
{
    assert_null(open_gpus());
    assert_null(gpus_backend.graphs->begin());
    assert_null(gpus_backend.graphs->end());
    const int before = fake.streams[GPUS - 1].waits;
    assert_null(gpus_backend.graphs->queue());
    assert_int_equal(fake.queued, 1);
    assert_int_equal(fake.streams[GPUS - 1].waits, before + 1);
    gpus_backend.close();
    assert_false(fake.recorded);
}

TEST(a_recording_ends_also_after_an_error)
{
    assert_null(open_gpus());
    assert_null(gpus_backend.graphs->begin());
    assert_null(gpus_backend.graphs->end());
    assert_null(gpus_backend.graphs->queue());
    assert_null(gpus_backend.graphs->begin());
    assert_true(fake.streams[0].captures);
    fake.failing_waits = 1;
    assert_non_null(gpus_backend.graphs->end());
    assert_false(fake.streams[0].captures);
}
