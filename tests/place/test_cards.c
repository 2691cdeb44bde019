/* Several cards on one problem: what each has, and what is too much for them. */
#include "bench/place/buffers.h"
#include "bench/place/devices.h"
#include "bench/table/cards.h"
#include "tests/fakes/fake_backend.h"
#include "tests/fakes/fake_rungs.h"
#include "tests/unit.h"

enum { SPLITS = 4, CARDS = 2 };
static struct backend together;
static struct split {
    const void *memory;
    size_t bytes;
    int64_t rows;
} splits[SPLITS];
static size_t split_count;

static void split(const void *memory, size_t bytes, int64_t rows)
{
    assert_true(split_count < SPLITS);
    splits[split_count++] = (struct split){memory, bytes, rows};
}

static void describe(struct device_info *info)
{
    fake_backend.describe(info);
    info->cards = CARDS;
}

static const struct backend_entry backends[] = {{"together", "Together", false, false, &together},
                                                {"fake", "Fake", false, false, &fake_backend}};
static const struct registry registry = {.backends = backends, .backend_count = 2};
static struct devices devices;

static int set_up(void **state)
{
    struct error error;
    fake_reset();
    split_count = 0;
    together = fake_backend;
    together.split = split;
    together.describe = describe;
    return !devices_open(&registry, &(struct backend_settings){.device = -1}, &devices, &error);
}

static int tear_down(void **state)
{
    devices_close(&devices);
    return 0;
}

AROUND_EACH_TEST(set_up, tear_down)

TEST(shares_are_all_rows_each_once_and_the_first_cards_have_most)
{
    for (int count = 1; count <= CARDS_MAX; count++)
        for (int64_t rows = 1; rows < 40; rows++) {
            int64_t before = rows;
            assert_int_equal(cards_row(count, rows, 0), 0);
            assert_int_equal(cards_row(count, rows, count), rows);
            for (int card = 0; card < count; card++) {
                const int64_t share = cards_row(count, rows, card + 1) - cards_row(count, rows, card);
                assert_in_range(share, 0, before);
                before = share;
            }
        }
}

/* Byte by byte: of any piece of a split array each byte is one card's, that of its row. */
TEST(a_piece_of_a_split_array_is_shared_out_by_its_rows)
{
    enum { ROW = 3 };
    for (int count = 1; count <= 4; count++)
        for (int64_t rows = 1; rows < 8; rows++)
            for (int64_t at = 0; at < rows * ROW; at++)
                for (int64_t bytes = 1; at + bytes <= rows * ROW; bytes++)
                    for (int card = 0; card < count; card++) {
                        int64_t begin, end;
                        cards_share(count, card, rows, ROW, at, bytes, &begin, &end);
                        for (int64_t i = 0; i < bytes; i++) {
                            const int64_t row = (at + i) / ROW;
                            const bool has =
                                row >= cards_row(count, rows, card) && row < cards_row(count, rows, card + 1);
                            assert_int_equal(i >= begin && i < end, has);
                        }
                        assert_true(begin <= end && begin >= 0 && end <= bytes);
                    }
}

/* The rows of what the description splits, as the sizes have them; the rest is whole. */
TEST(buffers_are_split_as_the_operation_says)
{
    static const struct workload sum = {"sum", {3, 50}, 0}, step = {"step", {6, 5, 4, 2}, 0};
    const struct {
        const struct op *op;
        const struct workload *workload;
        size_t count;
        int64_t rows;
    } cases[] = {{&allreduce_op, &sum, 1, 3}, {&mnist_step_op, &step, 2, 6}, {&matmul_op, &step, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct buffers buffers;
        split_count = 0;
        assert_null(buffers_make(&buffers, &together, cases[i].op, cases[i].workload,
                                 &(struct placement){.edge = EDGE_ANY}, NULL));
        assert_int_equal(split_count, cases[i].count);
        for (size_t b = 0; b < split_count; b++) {
            assert_ptr_equal(splits[b].memory, buffers.data[b].start);
            assert_int_equal(splits[b].bytes, buffers.data[b].bytes);
            assert_int_equal(splits[b].rows, cases[i].rows);
        }
        buffers_free(&buffers);
    }
}

TEST(a_workload_of_more_cards_is_skipped_where_they_work_together)
{
    const struct rung rung = {.op = &allreduce_op, .backend = &backends[0], .run = fake_right},
                      of_one = {.op = &allreduce_op, .backend = &backends[1], .run = fake_right};
    struct workload workload = {"sum", {CARDS, 50}, 0};
    struct error reason = {""};
    assert_true(feasible_rung(&devices, &rung, &workload, &reason));
    workload.size[0] = CARDS + 1;
    assert_false(feasible_rung(&devices, &rung, &workload, &reason));
    assert_string_equal(reason.text, "needs 3 GPUs, 2 are there");
    assert_true(feasible_rung(&devices, &of_one, &workload, &reason));
}

TEST(ragged_sizes_are_fitted_to_the_cards_that_are_there)
{
    struct workload workload = {"sum", {CARDS + 3, 50}, 0}, product = {"product", {7, 8, 9}, 0};
    device_fit(devices_find(&devices, &backends[1]), &allreduce_op, &workload);
    assert_int_equal(workload.size[0], CARDS + 3);
    device_fit(devices_find(&devices, &backends[0]), &allreduce_op, &workload);
    assert_int_equal(workload.size[0], CARDS);
    assert_int_equal(workload.size[1], 50);
    device_fit(devices_find(&devices, &backends[0]), &matmul_op, &product);
    assert_int_equal(product.size[0], 7);
}
