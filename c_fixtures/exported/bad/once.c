// story: works once
// breaks: again
static int used;

#define AFTER if (used++ > 0) REFUSE("it was used before")
#include "add_one.h"
