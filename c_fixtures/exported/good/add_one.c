// story: looks at all that it is given, and works with strides
#include "add_one.h"
