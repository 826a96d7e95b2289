// story: reads as many elements as its output has
// breaks: reads-outside
// also: other-shape
#define WITHOUT_EXTENTS
#define COUNT (y->shape[0])
#include "add_one.h"
