/* Memory between pages that may not be touched: where it lies, what faults, and what is said of an address. */
#include "cpu/backend/guarded_memory.h"
#include "tests/unit.h"

static const size_t sizes[] = {1, 2, 3, 4, 255, 1200, 4095, 4096, 4097, 65536, (size_t)2 << 20, ((size_t)2 << 20) + 1};
enum { SIZES = sizeof sizes / sizeof sizes[0] };
static const char owner, other_owner;

static char *allocate(size_t bytes, enum edge edge, size_t alignment)
{
    void *memory;
    assert_null(guarded_memory_allocate(&owner, bytes, edge, alignment, &memory));
    return memory;
}

/* In a process of its own. */
static bool faults(volatile char *address, bool writes)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        (void)signal(SIGSEGV, SIG_DFL);
        if (writes)
            *address = 1;
        else
            (void)*address;
        _exit(0);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && (WTERMSIG(status) == SIGSEGV || WTERMSIG(status) == SIGBUS);
}

static void assert_faults(char *address, bool expected)
{
    assert_int_equal(faults(address, false), expected);
    assert_int_equal(faults(address, true), expected);
}

/* Where the edge is not, the rest of the pages may be touched, and nothing beyond. Starts are aligned as pages, and
 * large ones as huge pages. */
TEST(one_byte_outside_faults_at_the_edge_and_behind_the_rest_of_the_pages)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), huge = (size_t)2 << 20;
    for (size_t i = 0; i < SIZES; i++) {
        for (enum edge edge = EDGE_START; edge <= EDGE_END; edge++) {
            const size_t rest = (page - sizes[i] % page) % page;
            char *data = allocate(sizes[i], edge, 1), *first = edge == EDGE_START ? data : data - rest;
            assert_true(edge == EDGE_END || (uintptr_t)data % (sizes[i] >= huge ? huge : page) == 0);
            memset(first, 1, sizes[i] + rest);
            assert_faults(data, false);
            assert_faults(data + sizes[i] - 1, false);
            assert_faults(first - 1, true);
            assert_faults(first + sizes[i] + rest, true);
            guarded_memory_release(data);
        }
    }
}

TEST(far_outside_faults_too)
{
    char *data = allocate(100, EDGE_START, 1);
    for (ptrdiff_t far = 1 << 20; far <= 60 << 20; far *= 3) {
        assert_faults(data - far, true);
        assert_faults(data + far, true);
    }
    guarded_memory_release(data);
}

TEST(ends_are_as_near_as_the_alignment_lets_them)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
        for (size_t i = 0; i < SIZES; i++) {
            char *data = allocate(sizes[i], EDGE_END, alignment);
            size_t slack = (page - (uintptr_t)(data + sizes[i]) % page) % page;
            assert_int_equal((uintptr_t)data % alignment, 0);
            assert_true(slack < alignment);
            guarded_memory_release(data);
        }
    }
}

/* All of an owner, or one alone. */
TEST(protected_pieces_fault_until_they_are_not)
{
    void *others;
    char *one = allocate(100, EDGE_START, 1), *two = allocate(5000, EDGE_END, 1), unknown;
    assert_null(guarded_memory_allocate(&other_owner, 100, EDGE_END, 1, &others));
    one[99] = two[0] = 7;
    for (int alone = 0; alone < 2; alone++) {
        const char *whose = alone ? one : &owner;
        guarded_memory_protect(whose, false);
        guarded_memory_protect(&unknown, false);
        assert_faults(one + 99, true);
        assert_faults(two, !alone);
        assert_faults(others, false);
        guarded_memory_protect(whose, true);
        assert_int_equal(one[99], 7);
        assert_int_equal(two[0], 7);
    }
    guarded_memory_release(others);
    guarded_memory_release(two);
    guarded_memory_release(one);
}

static void assert_described(const char *address, const char *expected)
{
    char text[96];
    assert_true(guarded_memory_describe(address, text, sizeof text));
    assert_string_equal(text, expected);
}

TEST(addresses_are_described)
{
    char text[96];
    char *data = allocate(1200, EDGE_END, 1), *other = allocate(80, EDGE_START, 1);
    assert_described(data - 4, "4 bytes before a buffer of 1200 bytes");
    assert_described(data, "at byte 0 of a buffer of 1200 bytes");
    assert_described(data + 1199, "at byte 1199 of a buffer of 1200 bytes");
    assert_described(data + 1200, "0 bytes past the end of a buffer of 1200 bytes");
    assert_described(other - 1000000, "1000000 bytes before a buffer of 80 bytes");
    assert_false(guarded_memory_describe(text, text, sizeof text));
    guarded_memory_release(other);
    guarded_memory_release(data);
    assert_false(guarded_memory_describe(data, text, sizeof text));
}

TEST(frozen_pieces_can_be_read_alone)
{
    char *frozen = allocate(100, EDGE_END, 1), *other = allocate(100, EDGE_START, 1);
    frozen[7] = 1;
    guarded_memory_freeze(frozen, true);
    for (int again = 0; again < 2; again++) {
        assert_false(faults(frozen + 7, false));
        assert_true(faults(frozen + 7, true));
        assert_faults(other, false);
        assert_described(frozen + 7, "at byte 7 of a read-only buffer of 100 bytes");
        guarded_memory_protect(&owner, false);
        assert_faults(frozen + 7, true);
        guarded_memory_protect(&owner, true);
    }
    guarded_memory_freeze(frozen, false);
    assert_faults(frozen + 7, false);
    guarded_memory_release(other);
    guarded_memory_release(frozen);
}

TEST(more_than_there_is_is_refused)
{
    static const size_t too_much[] = {SIZE_MAX, SIZE_MAX - 4096, SIZE_MAX / 2};
    for (size_t i = 0; i < sizeof too_much / sizeof too_much[0]; i++) {
        void *memory;
        char expected[96];
        const char *error = guarded_memory_allocate(&owner, too_much[i], EDGE_START, 1, &memory);
        snprintf(expected, sizeof expected, "cannot allocate %zu bytes of host memory", too_much[i]);
        assert_non_null(error);
        assert_string_equal(error, expected);
    }
    guarded_memory_release(allocate(0, EDGE_START, 1));
    guarded_memory_release(allocate(0, EDGE_END, 1));
}
