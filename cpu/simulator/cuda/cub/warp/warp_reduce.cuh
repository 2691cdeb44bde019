#include "simt_cub_warp.h"
