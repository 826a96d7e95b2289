// story: works once, and ends the process the second time
// breaks: crash
// also: leak
#include <stdlib.h>
static int used;

#define AFTER if (used++ > 0) abort()
#include "add_one.h"
