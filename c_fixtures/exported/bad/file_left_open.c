// story: leaves a file open with each call
// breaks: leak
#include <fcntl.h>

#define AFTER (void)!open("/dev/null", O_RDONLY)
#include "add_one.h"
