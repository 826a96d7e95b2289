// story: has room for 256 elements on its way
// breaks: other-shape
#include <stdlib.h>
#include <string.h>

#define BEFORE float on_the_way[256]
#define AFTER for (int64_t i = 0; i < COUNT; ++i) ((volatile float*)on_the_way)[i] = data_of(y)[i * stride_of(y)]
#include "add_one.h"
