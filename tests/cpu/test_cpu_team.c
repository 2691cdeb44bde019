/* A rung whose parts share work among teams of different sizes keeps its threads: to end some and start others in each
 * call takes longer than the work. Which threads there are shows it, not how long they took. */
#include "bench/table/mnist_step.h"
#include "bench/table/rung.h"
#include "tests/unit.h"

#include <dirent.h>
#include <omp.h>

enum { BATCH = 64, INPUTS = 196, HIDDEN = 128, CLASSES = 10, THREADS = 8, TASKS_MAX = 64, CALLS = 4 };

static int by_number(const void *a, const void *b)
{
    const long first = *(const long *)a, second = *(const long *)b;
    return (first > second) - (first < second);
}

static size_t list_threads(long threads[TASKS_MAX])
{
    size_t count = 0;
    DIR *tasks = opendir("/proc/self/task");
    assert_non_null(tasks);
    for (const struct dirent *task = NULL; count < TASKS_MAX && (task = readdir(tasks));)
        if (task->d_name[0] != '.')
            threads[count++] = strtol(task->d_name, NULL, 10);
    closedir(tasks);
    qsort(threads, count, sizeof threads[0], by_number);
    return count;
}

TEST(mnist_step_keeps_its_threads)
{
    static float images[BATCH * INPUTS], labels[BATCH * CLASSES];
    static float parameters[(INPUTS + 1) * HIDDEN + (HIDDEN + 1) * CLASSES], updated[sizeof parameters / sizeof(float)];
    const struct mnist_step_problem problem = {BATCH, INPUTS, HIDDEN, CLASSES, images, labels, parameters, updated};
    long first[TASKS_MAX], last[TASKS_MAX];
    omp_set_dynamic(0);
    omp_set_num_threads(THREADS);
    assert_null(mnist_step_cpu_tuned(&problem, NULL));
    const size_t count = list_threads(first);
    assert_true(count > 2); /* there are teams at all */
    for (int i = 0; i < CALLS; i++)
        assert_null(mnist_step_cpu_tuned(&problem, NULL));
    assert_int_equal(list_threads(last), count);
    assert_memory_equal(first, last, count * sizeof first[0]);
}
