/* The notes made of what NVML says, and of this process's environment; and which rungs a GPU can run. */
#include "kernels/backend/cuda_nvml.h"

#include "bench/table/rung.h"
#include "tests/unit.h"

static const struct cuda_nvml_facts usual = {700, 700, 1980, 0, 1, ""};

static const struct device_note *note(const struct device_info *info, const char *mark)
{
    for (int i = 0; i < info->note_count; i++)
        if (strcmp(info->notes[i].mark, mark) == 0)
            return &info->notes[i];
    return NULL;
}

/* No MPS daemon, and no setting of CUDA's. */
static int plain_environment(void **state)
{
    assert_int_equal(setenv("CUDA_MPS_PIPE_DIRECTORY", "./no-such-folder", 1), 0);
    unsetenv("CUDA_LAUNCH_BLOCKING");
    return 0;
}

static struct device_info notes_of(const char *error, struct cuda_nvml_facts facts, int mps, int other_processes)
{
    struct device_info info = {.note_count = 0};
    cuda_add_notes(&info, error, &facts, mps, other_processes);
    for (int i = 0; i < info.note_count; i++) {
        size_t length = strlen(info.notes[i].text);
        assert_true(length > 20 && length < sizeof info.notes[i].text - 1); /* not cut off */
        assert_true(info.notes[i].text[length - 1] != '.');
    }
    return info;
}

static void check_one_note(struct device_info info, const char *mark, const char *part_of_text)
{
    assert_int_equal(info.note_count, 1);
    assert_string_equal(info.notes[0].mark, mark);
    assert_non_null(strstr(info.notes[0].text, part_of_text));
}

static struct cuda_nvml_facts with(double limit_w, double default_w, int mig, int ecc)
{
    return (struct cuda_nvml_facts){limit_w, default_w, 1980, mig, ecc, ""};
}

TEST(nothing_unusual_is_not_worth_a_note)
{
    assert_int_equal(notes_of(NULL, usual, 0, 0).note_count, 0);
    assert_int_equal(notes_of(NULL, with(NAN, NAN, -1, -1), -1, -1).note_count, 0); /* unknown */
    assert_int_equal(notes_of(NULL, with(NAN, 700, 0, 1), 0, 0).note_count, 0);
    assert_int_equal(notes_of(NULL, with(600, NAN, 0, 1), 0, 0).note_count, 0);
    assert_int_equal(notes_of(NULL, with(750, 700, 0, 1), 0, 0).note_count, 0); /* raised */
}

TEST(what_is_unusual_is_noted)
{
    check_one_note(notes_of(NULL, with(700, 700, 1, 1), 0, 0), "mig", "MIG");
    check_one_note(notes_of(NULL, with(700, 700, 0, 0), 0, 0), "ecc-off", "ECC is off");
    check_one_note(notes_of(NULL, with(350.5, 700, 0, 1), 0, 0), "power-limit",
                   "is 350.5 W instead of the default 700 W");
    check_one_note(notes_of(NULL, usual, 1, 0), "mps", "MPS");
    check_one_note(notes_of(NULL, usual, 0, 1), "other-work", "1 other process uses the GPU");
    check_one_note(notes_of(NULL, usual, 0, 2), "other-work", "2 other processes use the GPU");
}

TEST(no_nvml_is_said_but_marks_no_row)
{
    check_one_note(notes_of("libnvidia-ml.so.1: no such file", with(NAN, NAN, -1, -1), -1, -1), "",
                   "NVML cannot be opened (libnvidia-ml.so.1: no such file), so clocks, throttling, temperature and "
                   "power are unknown");
    char long_trouble[400];
    memset(long_trouble, 'y', sizeof long_trouble - 1);
    long_trouble[sizeof long_trouble - 1] = '\0';
    check_one_note(notes_of(long_trouble, with(NAN, NAN, -1, -1), -1, -1), "", "power are unknown");
}

TEST(a_daemon_of_mps_is_noticed)
{
    unlink("mps/control");
    mkdir("mps", 0777);
    setenv("CUDA_MPS_PIPE_DIRECTORY", "mps", 1);
    assert_int_equal(notes_of(NULL, usual, 0, 0).note_count, 0);
    FILE *file = fopen("mps/control", "w"); /* something else of that name */
    assert_non_null(file);
    fclose(file);
    assert_int_equal(notes_of(NULL, usual, 0, 0).note_count, 0);
    unlink("mps/control");
    assert_int_equal(mkfifo("mps/control", 0666), 0);
    check_one_note(notes_of(NULL, usual, 0, 0), "mps", "MPS");
    check_one_note(notes_of(NULL, usual, -1, -1), "mps", "MPS");
    unlink("mps/control");
}

TEST(launches_that_wait_are_noted)
{
    setenv("CUDA_LAUNCH_BLOCKING", "0", 1);
    assert_int_equal(notes_of(NULL, usual, 0, 0).note_count, 0);
    setenv("CUDA_LAUNCH_BLOCKING", "", 1);
    assert_int_equal(notes_of(NULL, usual, 0, 0).note_count, 0);
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    check_one_note(notes_of(NULL, usual, 0, 0), "launch-blocking", "CUDA_LAUNCH_BLOCKING");
}

TEST(notes_stand_beside_each_other_and_there_is_room)
{
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    static const char *const marks[] = {"", "mig", "mps", "ecc-off", "power-limit", "other-work", "launch-blocking"};
    struct device_info info = notes_of("gone", with(300, 700, 1, 0), 2, 1);
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        assert_non_null(note(&info, marks[i]));
    assert_int_equal(info.note_count, sizeof marks / sizeof marks[0]);

    info.note_count = DEVICE_NOTES_MAX; /* full: nothing more, and nothing overwritten */
    strcpy(info.notes[DEVICE_NOTES_MAX - 1].mark, "last");
    cuda_add_notes(&info, "gone", &usual, 2, 1);
    assert_int_equal(info.note_count, DEVICE_NOTES_MAX);
    assert_string_equal(info.notes[DEVICE_NOTES_MAX - 1].mark, "last");
}

TEST(rungs_run_where_gpu_and_build_have_what_they_need)
{
    static const struct {
        unsigned traits;
        int gpu, build;
        bool has_wgmma;
        const char *lacks; /* a part of the reason; empty: nothing */
    } cases[] = {
        {0, 75, 75, false, ""},
        {RUNG_UNORDERED | RUNG_SLOW, 80, 80, false, ""},
        {RUNG_HOPPER, 90, 90, false, ""},
        {RUNG_HOPPER, 120, 90, false, ""},
        {RUNG_HOPPER | RUNG_UNORDERED, 100, 100, false, ""},
        {RUNG_HOPPER, 89, 80, false, "needs compute capability 9.0; this GPU has 8.9, the build 8.0"},
        {RUNG_HOPPER, 90, 80, false,
         "needs compute capability 9.0; this GPU has 9.0, the build 8.0 (see CMAKE_CUDA_ARCHITECTURES)"},
        {RUNG_TF32, 80, 80, false, ""},
        {RUNG_TF32X3, 120, 90, false, ""},
        {RUNG_FP16X3 | RUNG_SLOW, 75, 75, false, "needs compute capability 8.0; this GPU has 7.5, the build 7.5"},
        {RUNG_TF32X3 | RUNG_HOPPER, 80, 80, false, "9.0"},
        {RUNG_BF16X9, 100, 90, false, ""},
        {RUNG_BF16X9, 103, 103, false, ""},
        {RUNG_BF16X9, 90, 90, true, "10.0 and 10.3"},
        {RUNG_BF16X9, 120, 120, false, "10.0 and 10.3"},
        {RUNG_WGMMA, 90, 90, true, ""},
        {RUNG_WGMMA, 90, 90, false, "CMAKE_CUDA_ARCHITECTURES"},
        {RUNG_WGMMA, 100, 90, false, "of compute capability 9.0"},
        {RUNG_WGMMA | RUNG_TF32, 80, 80, false, "needs compute capability 9.0; this GPU has 8.0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *lacks = cuda_capability_lacks(cases[i].traits, cases[i].gpu, cases[i].build, cases[i].has_wgmma);
        if ((lacks != NULL) != (cases[i].lacks[0] != '\0') || (lacks && !strstr(lacks, cases[i].lacks)))
            fail_msg("case %zu: %s", i, lacks ? lacks : "lacks nothing");
    }
}

AROUND_EACH_TEST(plain_environment, NULL)
