/* The operation grayscale: --image and --gray-out. */
#include "bench/data/photo.h"
#include "gray_problem.h"
#include "tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct op *const op = &grayscale_op;

static const char photo_file[] = "a photo.ppm", gray_file[] = "gray.png", gray_partial[] = "gray.png.partial";

static bool set_flag(const char *name, const char *value, struct workload *workload, bool *added, struct error *error)
{
    for (size_t i = 0; i < op->flag_count; i++)
        if (strcmp(op->flags[i].name, name) == 0)
            return op->flags[i].set(value, workload, added, error);
    fail_msg("there is no --%s", name);
    return false;
}

enum { PHOTO_HEIGHT = 9, PHOTO_WIDTH = 13, PHOTO_PIXELS = PHOTO_HEIGHT * PHOTO_WIDTH };

static uint8_t photo_colour(int at, int channel)
{
    return (uint8_t)(at * 17 + channel * 71);
}

static void write_photo(void)
{
    FILE *file = fopen(photo_file, "wb");
    assert_non_null(file);
    fprintf(file, "P6 %d %d 255\n", PHOTO_WIDTH, PHOTO_HEIGHT);
    for (int at = 0; at < PHOTO_PIXELS; at++)
        for (int channel = 0; channel < 3; channel++)
            fputc(photo_colour(at, channel), file);
    assert_int_equal(fclose(file), 0);
}

static struct problem photo_problem(void)
{
    struct workload workload = {0};
    bool added = false;
    struct error error = {""};
    write_photo();
    if (!set_flag("image", photo_file, &workload, &added, &error))
        fail_msg("%s", error.text);
    assert_true(added);
    struct problem p = allocate(workload.name, workload.size[0], workload.size[1], workload.size[2]);
    p.workload = workload;
    fill_seeded(&p, 1, NULL);
    return p;
}

static int remove_files(void **state)
{
    remove(photo_file);
    remove(gray_file);
    remove(gray_partial);
    return 0;
}

static void end_photo(struct problem *p, bool expected, const char *reason)
{
    struct error error = {""};
    bool ok = op->finish(&error);
    free_gray_problem(p);
    if (ok != expected || !strstr(error.text, reason))
        fail_msg("finish() says %d and '%s', expected %d and '%s'", ok, error.text, expected, reason);
}

TEST(a_photo_is_a_workload_of_its_own)
{
    struct problem p = photo_problem();
    assert_string_equal(p.workload.name, "image");
    assert_true(p.workload.size[0] == 1 && p.workload.size[1] == PHOTO_HEIGHT && p.workload.size[2] == PHOTO_WIDTH);
    assert_int_equal(p.workload.suites, 0);
    for (int channel = 0; channel < 3; channel++)
        for (int at = 0; at < PHOTO_PIXELS; at++)
            assert_int_equal(plane_of(&p, 0, channel)[at], photo_colour(at, channel));
    assert_string_equal(p.note.text, "a photo.ppm sha256:0aa789a0c40f");
    end_photo(&p, true, "");
}

TEST(a_second_photo_is_refused)
{
    struct problem p = photo_problem();
    struct workload workload = {0};
    bool added = false;
    struct error error = {""};
    assert_false(set_flag("image", photo_file, &workload, &added, &error));
    assert_false(added);
    assert_non_null(strstr(error.text, photo_file));
    end_photo(&p, true, "");
}

/* Sets --gray-out for all tests that follow: a program parses its flags once. */
static void set_gray_out(const char *path)
{
    struct workload workload = {0};
    bool added = false;
    struct error error = {""};
    assert_true(set_flag("gray-out", path, &workload, &added, &error));
    assert_false(added);
}

TEST(the_last_correct_rung_makes_the_gray_photo)
{
    struct problem p = photo_problem();
    struct error error = {""};
    set_gray_out(gray_file);
    assert_true(op->begin(&error));
    assert_int_not_equal(access(gray_file, F_OK), 0);
    memset(p.host[GRAY], 1, PHOTO_PIXELS);
    op->verified(&p.workload, p.host);
    struct problem another = allocate("thumb", 1, PHOTO_HEIGHT, PHOTO_WIDTH);
    memset(another.host[GRAY], 2, PHOTO_PIXELS);
    answer(&p, expected_gray);
    op->verified(&p.workload, p.host);
    op->verified(&another.workload, another.host);
    free_gray_problem(&another);
    end_photo(&p, true, "");

    struct photo gray;
    if (!photo_read(gray_file, &gray, &error))
        fail_msg("%s", error.text);
    assert_true(gray.height == PHOTO_HEIGHT && gray.width == PHOTO_WIDTH);
    for (int at = 0; at < PHOTO_PIXELS; at++)
        assert_int_equal(gray.planes[at], expected_gray(photo_colour(at, 0), photo_colour(at, 1), photo_colour(at, 2)));
    free(gray.planes);
    assert_int_not_equal(access(gray_partial, F_OK), 0);
}

TEST(without_a_correct_rung_there_is_no_gray_photo)
{
    struct problem p = photo_problem();
    struct error error = {""};
    set_gray_out(gray_file);
    assert_true(op->begin(&error));
    end_photo(&p, false, "--gray-out=gray.png");
    assert_int_not_equal(access(gray_file, F_OK), 0);
    assert_int_not_equal(access(gray_partial, F_OK), 0);
}

TEST(a_gray_photo_that_cannot_be_written_is_refused_before_anything_runs)
{
    struct problem p = photo_problem();
    struct error error = {""};
    set_gray_out("not-there/gray.png");
    assert_false(op->begin(&error));
    assert_non_null(strstr(error.text, "not-there/gray.png"));
    end_photo(&p, false, "");
}

TEST(a_gray_photo_needs_a_photo)
{
    struct error error = {""};
    set_gray_out(gray_file);
    assert_false(op->begin(&error));
    assert_non_null(strstr(error.text, "--gray-out=gray.png"));
    assert_non_null(strstr(error.text, "--image"));
    assert_int_not_equal(access(gray_partial, F_OK), 0);
}

AROUND_EACH_TEST(remove_files, remove_files)
