#include "link.h"

#include "bench/base/host.h"
#include "bench/base/memory.h"
#include "bench/base/process.h"
#include "confine.h"
#include "player.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRINTED_LINES_MAX = 20, LINE_BYTES_MAX = 1 << 16 };

struct link_process {
    const struct link_settings *settings;
    struct link *link;
    struct process process;
    struct running *running;
    char **argv;
    struct reply reply;
    uint64_t stamp; /* of the ask that waits for it */
    bool is_answered;
    int printed; /* lines that are not this program's */
    struct confinement confinement;
};

static bool prepare(void *self)
{
    const struct link_process *process = self;
    return confine(&process->confinement);
}

static const char *excess(const void *self, long number)
{
    const struct link_process *process = self;
    return confinement_excess(&process->confinement, number);
}

static size_t take_reply(void *self, const char *record, size_t bytes)
{
    struct link_process *process = self;
    struct reply reply;
    if (bytes != sizeof reply)
        return bytes; /* it is nothing of ours */
    memcpy(&reply, record, bytes);
    if (reply.stamp != process->stamp)
        return bytes; /* nor is that, though it is as long */
    process->reply = reply;
    process->is_answered = true;
    return bytes;
}

/* A kernel in the making may print from each thread. */
static void pass_on(struct link_process *process, const char *line)
{
    char rest[NAME_MAX + 64];
    bool is_left_out = process->settings->is_strangers && !error_said(line) && ++process->printed > PRINTED_LINES_MAX;
    if (!is_left_out) {
        process->settings->message(line);
    } else if (process->printed == PRINTED_LINES_MAX + 1) {
        snprintf(rest, sizeof rest, "%s: what else is printed is left out", error_program());
        process->settings->message(rest);
    }
}

static size_t take_lines(void *self, const char *text, size_t bytes)
{
    size_t taken = 0;
    for (const char *end; (end = memchr(text + taken, '\n', bytes - taken)); taken = (size_t)(end - text) + 1) {
        char line[512];
        snprintf(line, sizeof line, "%.*s", (int)(end - text - (ptrdiff_t)taken), text + taken);
        pass_on(self, line);
    }
    return taken == 0 && bytes > LINE_BYTES_MAX ? bytes : taken; /* that is no line */
}

static size_t take_printed(void *self, const char *text, size_t bytes)
{
    struct link_process *process = self;
    process->link->has_printed = process->link->has_printed || bytes > 0;
    return take_lines(self, text, bytes);
}

static void say_how(const struct link *link, const struct process_end *end, char *text, size_t size)
{
    char crash[sizeof link->board->crash];
    memcpy(crash, link->board->crash, sizeof crash);
    crash[sizeof crash - 1] = '\0';
    if (end->excess)
        snprintf(text, size, "%s", end->how);
    else if (end->hung)
        snprintf(text, size, "hung: it gave no answer for %.3g s and was killed", link->limit_s);
    else if (crash[0] != '\0')
        snprintf(text, size, "crashed: %s", crash);
    else if (end->signal != 0)
        snprintf(text, size, "its process %s", end->how);
    else
        snprintf(text, size, "ended the process with exit status %d", end->status);
}

/* A last line without an end, too. */
static void finish(struct link_process *process)
{
    struct process_end end;
    struct error error;
    process->is_answered = false;
    if (!process_finish(process->running, &end, &error)) {
        snprintf(process->link->how, sizeof process->link->how, "%.380s", error.text);
    } else {
        say_how(process->link, &end, process->link->how, sizeof process->link->how);
        process->link->has_hung = end.hung;
        if (end.bytes[PROCESS_ERR] > 0)
            pass_on(process, end.text[PROCESS_ERR]);
        process_end_free(&end);
    }
    process->running = NULL;
}

static bool ask_process(struct link *link, const struct ask *ask, struct reply *reply)
{
    struct link_process *process = link->process;
    process->is_answered = false;
    process->stamp = ask->stamp;
    if (process_send(process->running, ask, sizeof *ask))
        process_listen(process->running);
    if (!process->is_answered)
        return false;
    *reply = process->reply;
    return true;
}

enum outcome link_ask(struct link *link, const struct rung *rung, struct ask *ask, struct reply *reply)
{
    struct reply answer = {.seconds = NAN};
    char *text = link->board->text;
    ask->stamp = entropy_bits();
    ask->rung = rung ? (int)(rung - link->registry->rungs) : -1;
    text[0] = '\0';
    if (link->player) {
        player_answer(link->player, ask, &answer);
    } else if (!link->has_ended && !ask_process(link, ask, &answer)) {
        finish(link->process);
        link->has_ended = true;
    }
    text[BOARD_TEXT_BYTES - 1] = '\0';
    if (link->has_ended) {
        answer.outcome = OUTCOME_ENDED;
        snprintf(text, BOARD_TEXT_BYTES, "%s", link->how);
    }
    if (reply)
        *reply = answer;
    return answer.outcome;
}

static bool open_devices(struct link *link, struct error *error)
{
    enum outcome outcome = link_ask(link, NULL, &(struct ask){.kind = ASK_OPEN}, NULL);
    link->devices.count = link->registry->backend_count;
    for (size_t i = 0; i < link->devices.count; i++) {
        if (outcome == OUTCOME_DONE)
            link->devices.items[i] = link->board->devices[i];
        link->devices.items[i].entry = &link->registry->backends[i];
    }
    return outcome != OUTCOME_FAILED || error_set(error, "%s", link->board->text);
}

/* proc(5): the second number of schedstat, in nanoseconds. */
static double read_wait(const char *path)
{
    unsigned long long ran, waited;
    char line[80];
    host_read_line(path, line, sizeof line);
    return sscanf(line, "%llu %llu", &ran, &waited) == 2 ? (double)waited * 1e-9 : (double)NAN;
}

double link_waited_s(const struct link *link)
{
    char path[64];
    double own_s = read_wait("/proc/self/schedstat");
    if (!link->process || !link->process->running)
        return own_s;
    snprintf(path, sizeof path, "/proc/%ld/schedstat", process_id(link->process->running));
    return own_s + read_wait(path);
}

static struct link *make_link(const struct registry *registry, struct board *board)
{
    struct link *link = memory_get(1, sizeof *link);
    *link = (struct link){.registry = registry, .board = board, .limit_s = INFINITY};
    return link;
}

static struct link_process *make_process(struct link *link, int fd, const struct link_settings *settings)
{
    static char *itself[2];
    static char player[] = "--player", no_progress[] = "--progress=off", *for_player[] = {player, no_progress, NULL};
    char *const *const arguments[] = {settings->program ? settings->program : itself, settings->flags, for_player,
                                      NULL};
    struct link_process *process = memory_get(1, sizeof *process);
    itself[0] = error_program();
    *process = (struct link_process){
        .settings = settings,
        .link = link,
        .argv = arguments_join(arguments), /* what this process was asked for, and that it is a player */
        .process = {.program = settings->program ? settings->program[0] : "/proc/self/exe",
                    .interrupted = settings->interrupted,
                    .silence_s = &link->limit_s,
                    .is_asked = true,
                    .memory = fd,
                    .prepare = settings->is_strangers ? prepare : NULL,
                    .has_enough = &process->is_answered,
                    .excess = settings->is_strangers ? excess : NULL,
                    .now = settings->now,
                    .take = {[PROCESS_OUT] = take_printed, [PROCESS_ERR] = take_lines, [PROCESS_EXTRA] = take_reply},
                    .self = process},
    };
    process->process.argv = process->argv;
    if (settings->is_strangers)
        confinement_open(&process->confinement, settings->message);
    return process;
}

/* Ends the link if the devices that were asked for are not there. */
static struct link *begin(struct link *link, bool is_there, struct error *error)
{
    if (is_there && open_devices(link, error))
        return link;
    link_end(link, NULL, 0);
    return NULL;
}

struct link *link_start(const struct link_settings *settings, const struct registry *registry, struct board *board,
                        int fd, struct error *error)
{
    struct link *link = make_link(registry, board);
    link->process = make_process(link, fd, settings);
    board->crash[0] = '\0';
    if (settings->open_limit_s > 0)
        link->limit_s = settings->open_limit_s;
    left_behind_adopt();
    link->process->running = process_start(&link->process->process, error);
    return begin(link, link->process->running, error);
}

struct link *link_to(struct player *player, struct error *error)
{
    struct link *link = make_link(player->registry, player->board);
    link->player = player;
    return begin(link, true, error);
}

void link_end(struct link *link, char *left, size_t size)
{
    if (!link)
        return;
    if (link->player)
        player_close(link->player);
    if (link->process) {
        if (link->process->running)
            finish(link->process);
        confinement_close(&link->process->confinement);
        free(link->process->argv);
        free(link->process);
        left_behind_kill(left, size);
    }
    free(link);
}
