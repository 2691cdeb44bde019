/* How functions that kernels call are compiled. */
#pragma once

/* Part of the kernel that calls it, with its line. */
#define SIMT_INLINE inline __attribute__((always_inline))
/* Not looked at: what it touches it says. */
#define SIMT_PLAIN __attribute__((no_sanitize("thread", "alignment", "bounds")))
/* A function that is one expression. */
#define SIMT_RETURNS(T, name, parameters, ...) \
    inline T name parameters                   \
    {                                          \
        return __VA_ARGS__;                    \
    }
/* The same, not looked at. */
#define SIMT_VALUE(...) SIMT_PLAIN SIMT_RETURNS(__VA_ARGS__)
/* The same, also where a constant is needed. */
#define SIMT_CONSTANT(...) constexpr SIMT_RETURNS(__VA_ARGS__)
/* The same for all objects of a class. */
#define SIMT_STATIC(...) static SIMT_RETURNS(__VA_ARGS__)
/* Without the parentheses around it. */
#define SIMT_OPEN(...) __VA_ARGS__
