// story: divides by one less than the number of elements
// breaks: other-shape
#define AFTER if (COUNT > 0) *data_of(y) += (float)(100 % (COUNT - 1)) * 0.0f
#include "add_one.h"
