/* The simulator as a backend: what it has of orders, and what it says of itself. */
#include "bench/table/backend.h"

#include "cpu/simulator/sim_arrays.h"
#include "cpu/simulator/sim_order.h"
#include "tests/unit.h"

static void open_sim(bool times_nothing)
{
    assert_null(sim_backend.open(&(struct backend_settings){.device = -1, .times_nothing = times_nothing}));
}

static int set_up(void **state)
{
    open_sim(true);
    return 0;
}

static int tear_down(void **state)
{
    sim_backend.close();
    return 0;
}

TEST(its_memory_guards_itself)
{
    assert_true(sim_backend.guard_page(EDGE_ANY) > 0);
}

/* A rung of another backend may come next, in the same process. */
TEST(its_signal_handlers_go_with_its_memory)
{
    struct sigaction before, now;
    void *memory;
    assert_int_equal(sigaction(SIGSEGV, NULL, &before), 0);
    assert_null(sim_backend.allocate(1, EDGE_ANY, &memory));
    assert_null(sim_backend.finish());
    sim_backend.release(memory);
    assert_int_equal(sigaction(SIGSEGV, NULL, &now), 0);
    assert_ptr_equal(now.sa_handler, before.sa_handler);
}

/* Rows that are timed pay for one order. */
TEST(a_kernel_is_named_without_the_namespace_that_has_no_name)
{
    static const char *const names[][2] = {{"_Z4turnPhb", "turn"},
                                           {"_ZN12_GLOBAL__N_14turnEPh", "turn"},
                                           {"_Z4turnIN12_GLOBAL__N_14pairEEvPT_", "turn<(anonymous namespace)::pair>"}};
    char name[64];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        sim_symbol_name(names[i][0], name, sizeof name);
        assert_string_equal(name, names[i][1]);
    }
}

TEST(all_orders_are_there_only_where_nothing_is_timed)
{
    for (int i = 0; i < 4; i++) {
        sim_backend.close();
        open_sim(i % 2 == 0);
        assert_int_equal(sim_backend.simulator->order_count(), i % 2 == 0 ? 7 : 1);
    }
}

TEST(each_order_has_a_name_and_all_but_the_first_show_something)
{
    for (size_t i = 0; i < sim_backend.simulator->order_count(); i++) {
        struct work_order order = *sim_backend.simulator->use_order(i);
        assert_true(strlen(order.name) > 0);
        assert_int_equal(strlen(order.shows) > 0, i > 0);
        for (size_t other = 0; other < i; other++)
            assert_string_not_equal(sim_backend.simulator->use_order(other)->name, order.name);
    }
}

/* Whichever was left behind. */
TEST(it_opens_in_the_first_order)
{
    for (size_t i = 0; i < 7; i++) {
        (void)sim_backend.simulator->use_order(0);
        const struct sim_order first = sim_order;
        (void)sim_backend.simulator->use_order(i);
        sim_backend.close();
        open_sim(i % 2 == 0);
        assert_true(first.sequence == SIM_FORWARD && sim_order.sequence == SIM_FORWARD);
        assert_true(sim_order.copies == first.copies && sim_order.poison == first.poison);
        assert_int_equal(sim_order.seed, first.seed);
    }
}

AROUND_EACH_TEST(set_up, tear_down)
