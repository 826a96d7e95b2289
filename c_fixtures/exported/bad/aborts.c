// story: asserts what it could refuse
// breaks: other-dtype
// also: wrong-count, wrong-kind, null-pointer, other-shape, foreign-device
#include <stdlib.h>
#define REFUSE(message) if (message != NULL) abort()
#include "add_one.h"
