// story: writes an element behind the last
// breaks: writes-outside
#define AFTER if (COUNT > 0) data_of(y)[(COUNT - 1) * stride_of(y) + 1] = 0
#include "add_one.h"
