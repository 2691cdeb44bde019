/* The gate when one allocation fails: it says so, and ends. */
#include "bench/gate/gate_report.h"
#include "gate_files.h"
#include "tests/base/scarce_memory.h"
#include "tests/unit.h"

static const char base_file[] = "base.csv", new_file[] = "new.csv";

/* Makes a row of four rounds, of one sitting or of two. */
static void write_files(bool paired)
{
    static struct gate_rows rows;
    for (int side = 0; side < 2; side++) {
        rows.count = 0;
        for (int round = 0; round < 4; round++)
            gate_row(&rows, GATE_CPU_ROW, round, 1e-5, "sitting", side && !paired ? "tuesday" : "monday");
        char *text = gate_text(&rows);
        file_put(side ? new_file : base_file, text);
        free(text);
    }
}

/* Everything that the gate does with two files. */
static bool compare_files(struct error *error)
{
    static const struct exceptions none;
    static const struct gate_options options = {.threshold = NAN, .json = "gate.json"};
    struct recording base = {0}, other = {0};
    struct comparison comparison;
    struct gate_report report;
    if (!gate_report_open(&report, &options, error) || !results_read_file(base_file, READ_AUTO, &base, error) ||
        !results_read_file(new_file, READ_AUTO, &other, error) ||
        !comparison_make(&base, &other, &options, &none, &comparison, error))
        return false;
    comparison_decide(&comparison);
    report.base_name = report.new_name = "";
    gate_report_conclude(&report, &comparison, GATE_CLEARED);
    return gate_report_write(&report, error);
}

TEST(each_allocation_may_fail)
{
    for (int paired = 0; paired < 2; paired++) {
        write_files(paired);
        assert_true(scarce_memory_try(compare_files) > 100);
    }
    remove(base_file);
    remove(new_file);
    remove("gate.json");
}
