// story: takes for granted that there are no gaps between elements
// breaks: layout
// also: writes-outside, reads-outside
#define WITHOUT_STRIDES
#include "add_one.h"
