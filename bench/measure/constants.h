/* Constants of the model by which auto rungs choose (bench/table/model.h), measured on this machine's GPU: made from
 * times, and kept beside the compiled kernels (bench/own/cache.h) in constants-UUID, a file that has the form of
 * model.def and ends with the digest of what stands before. */
#pragma once

#include "bench/base/error.h"
#include "bench/table/backend.h"
#include "bench/table/model.h"

#include <limits.h>

/* A candidate's time on a shape. */
struct timed_shape {
    size_t candidate;
    struct model_shape shape;
    double us, best_us; /* of the fastest candidate on that shape */
};

/* Finds for each candidate those constants, of which none is negative, that miss its times least: by the sum of squares
 * of relative errors, each the less the further the candidate is from being the fastest. One with too few times keeps
 * those of model.def. */
void constants_fit(const struct timed_shape *timed, size_t count, double constants[][MODEL_TERMS]);

/* False, with the reason: they cannot be kept on this machine. Before anything is measured. */
bool constants_can_be_kept(struct error *error);

/* All of the file or none; an earlier one stays then. False, with the reason. */
bool constants_keep(const struct device_info *info, const double constants[][MODEL_TERMS], char path[PATH_MAX],
                    struct error *error);

/* From now on the model has the constants that are kept for the device, if there are. A file that is damaged, or
 * written by another version, or for another GPU, is not used: the device gets a note that says so. */
void constants_take(struct device_info *info);
