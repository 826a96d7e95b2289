// story: takes for granted that a tensor has a dimension
// breaks: other-shape
#define WITHOUT_DIMENSIONS
#include "add_one.h"
