/* What the files of the backend of several GPUs share. */
#pragma once

#include "cuda_parts.h"

#include "bench/table/cards.h"

struct gpus {
    struct cards cards;
    struct cuda_gpu gpu[CARDS_MAX];
    cudaEvent_t joined[CARDS_MAX];
    bool is_open;
    char failure[256]; /* why they could not be opened; empty: they are */
    char *start[CARDS_MAX];
    struct cuda_region region; /* of the first card; a piece of it is one of each */
    unsigned turn;             /* calls of rungs: the next card is looked at after each */
};
extern struct gpus gpus;

/* What is done on each card. */
struct work {
    void *memory; /* of the first card */
    const void *from;
    void *to;
    size_t bytes;
    const struct made *made;
    int64_t number;
    bool flag;
    double seconds;
};

/* Opens the cards where they are not open yet. */
const char *gpus_open_all(void);
/* Calls it for one card after the other, which is the current one then. It opens the cards. */
const char *gpus_on_each(const char *(*call)(int card, struct work *work), struct work *work);

/* gpus_memory.c: functions of struct backend. */
size_t gpus_free_memory(void);
size_t gpus_held_memory(void);
const char *gpus_allocate(size_t bytes, enum edge edge, void **memory);
void gpus_release(void *memory);
void gpus_split(const void *memory, size_t bytes, int64_t rows);
const char *gpus_upload(void *memory, const void *host, size_t bytes);
const char *gpus_fill(void *memory, size_t bytes, const struct made *made);
const char *gpus_download(void *host, const void *memory, size_t bytes);
const char *gpus_peek(void *host, const void *memory, size_t bytes);
