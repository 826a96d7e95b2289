// story: keeps memory for each call
// breaks: leak
#include <stdlib.h>

static void* volatile scratch;

#define AFTER scratch = malloc(100)
#include "add_one.h"
