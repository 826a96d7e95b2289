// story: takes elements of any type for floats
// breaks: writes-outside
#define WITHOUT_DTYPE
#include "add_one.h"
