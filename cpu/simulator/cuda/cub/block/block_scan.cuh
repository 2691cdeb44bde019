#include "simt_cub_block.h"
