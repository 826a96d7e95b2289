// story: divides by one less than the number of elements
// breaks: other-shape
static volatile long step;

#define AFTER if (COUNT > 0) step = 100 % (COUNT - 1)
#include "add_one.h"
