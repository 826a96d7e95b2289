// story: writes as many elements as its input has
// breaks: writes-outside
// also: other-shape
#define WITHOUT_EXTENTS
#include "add_one.h"
