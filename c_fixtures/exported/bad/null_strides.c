// story: takes for granted that a tensor has strides
// breaks: layout
#define WITHOUT_NULL_STRIDES
#include "add_one.h"
