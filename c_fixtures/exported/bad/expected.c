// story: adds two in place of one
// breaks: expected
#define AFTER for (int64_t i = 0; i < COUNT; ++i) data_of(y)[i * stride_of(y)] += 1
#include "add_one.h"
