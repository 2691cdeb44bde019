/* Markup, scripts, shell and control characters in what is written stay text. */
#include "bench/base/plain_text.h"
#include "bench/report/reporter.h"
#include "sample_results.h"
#include "tests/unit.h"

static const char *const texts[] = {
    "</td><script>a()</script>",
    "$(touch pwned) `id`; 'a' \"b\" |&",
    "\033[31mred\033]0;title\a\r\n* forged",
    "caf\xc3\xa9 \xc2\x9b"
    "2J\r \\033 %s%n",
    ",\"\",\"\n,=1+1",
    "\xe2\x80\xaegpj.exe \xe2\x81\xa6",
    "set term; {/Bold x}^2_3",
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

static const char text_file[] = "hostile.txt";

static int remove_files(void **state)
{
    remove(text_file);
    return 0;
}

static struct run_facts facts;
static struct device_info device;
static struct result result;

/* A row with the text in that column. False: it is no column of text, or the text is too long for it. */
static bool fill_row(size_t column, const char *text)
{
    void *const parts[] = {&result, &facts, &device};
    facts = sample_facts;
    device = sample_gpu;
    result = timed(row("matmul", "mnist", "cuda_tiled", "hot"), 1e-3);
    result.run = &facts;
    result.device = &device;
    return result_columns[column].type < TYPE_NUMBER && column != COLUMN_backend && column != COLUMN_mode &&
           column_parse(&result_columns[column], text, parts[result_columns[column].part]);
}

AROUND_EACH_TEST(remove_files, remove_files)

static size_t lines_of(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void assert_plain(const char *text)
{
    for (const char *c = text; *c; c++)
        if ((*c >= 0 && *c < ' ' && *c != '\n') || *c == 0x7F || strncmp(c, "\xc2\x9b", 2) == 0 ||
            strncmp(c, "\xe2\x80\xae", 3) == 0 || strncmp(c, "\xe2\x81\xa6", 3) == 0)
            fail_msg("a control character in '%s'", text);
}

/* Rows, columns and reasons are the program's own words; these are not. */
TEST(the_table_has_no_further_line_and_no_control_character)
{
    static char texts_of[2][TEXT_MAX];
    const struct result_list list = {&result, 1};
    const char *harmless = texts_of[0], *text = texts_of[1];
    for (size_t i = 0; i < 3 * TEXTS; i++) {
        const char *hostile = texts[i % TEXTS];
        enum status status = (enum status)(i / TEXTS);
        for (int turn = 0; turn < 2; turn++) {
            const char *word = turn == 0 ? "word" : hostile;
            assert_true(fill_row(COLUMN_input, word));
            result.status = status;
            snprintf(result.reason, sizeof result.reason, "%s", status == STATUS_OK ? "" : word);
            PRINT_TO(texts_of[turn], to, report_console(&list, to, false));
        }
        assert_plain(text);
        assert_int_equal(lines_of(text), lines_of(harmless));
        char seen[64];
        snprintf(seen, sizeof seen, "%s", hostile);
        plain_text_make(seen);
        assert_non_null(strstr(text, strtok(seen, "?")));
    }
}

/* What is said of a row that has failed, for this reason and with these flags. */
static void write_failure(const char *program, char *const *flags, const char *reason, char text[TEXT_MAX])
{
    const struct options options = {.shared = flags};
    struct outputs outputs = {.options = &options, .program = program};
    assert_true(fill_row(COLUMN_reason, reason));
    result.status = STATUS_FAILED;
    const int terminal = stream_redirect(stderr, text_file);
    MUST(outputs_take_early(&outputs, &result, &error));
    stream_restore(stderr, terminal);
    file_get(text_file, text, TEXT_MAX);
}

/* Bash makes of the command to reproduce the row what was given. */
static void assert_reproduces(const char *said, const char *program, char *const *flags)
{
    static const char before[] = "to reproduce: ";
    char got[1024] = "", expected[1024];
    snprintf(expected, sizeof expected, "printf '%%s|' %s", strstr(said, before) + strlen(before));
    file_put(text_file, expected);
    FILE *bash = popen("bash hostile.txt", "r");
    assert_non_null(bash);
    got[fread(got, 1, sizeof got - 1, bash)] = '\0';
    assert_int_equal(pclose(bash), 0);
    snprintf(expected, sizeof expected, "%s|", program);
    for (; *flags; flags++)
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%s|", *flags);
    strcat(expected, "--filter=^matmul/mnist/cuda_tiled/|");
    assert_string_equal(got, expected);
}

TEST(a_failure_is_two_lines_and_its_command_is_what_was_given)
{
    static char text[TEXT_MAX], letters[128][2], *each[128];
    for (size_t i = 0; i < TEXTS; i++) {
        char *flags[] = {(char *)texts[i], NULL};
        write_failure(texts[i], flags, texts[i], text);
        assert_int_equal(lines_of(text), 2);
        assert_plain(text);
        assert_reproduces(text, texts[i], flags);
    }
    for (char c = '!'; c <= '~'; c++) {
        letters[c - '!'][0] = c;
        each[c - '!'] = letters[c - '!'];
    }
    each['~' + 1 - '!'] = "$HOME";
    write_failure("./rungbench", each, "lost", text);
    assert_reproduces(text, "./rungbench", each);
}
