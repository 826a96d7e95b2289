// story: takes every stride for one above zero
// breaks: layout
// also: writes-outside
#include <stdlib.h>

#define WITHOUT_STRIDES_BELOW_ZERO
#include "add_one.h"
