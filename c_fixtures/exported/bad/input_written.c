// story: uses its input for scratch
// breaks: input-written
#define AFTER if (COUNT > 0) data_of(x)[0] = 0
#include "add_one.h"
