// story: writes an element before the first
// breaks: writes-outside
#define AFTER if (COUNT > 0) data_of(y)[-1] = 0
#include "add_one.h"
