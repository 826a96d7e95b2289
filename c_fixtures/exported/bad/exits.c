// story: ends the program over what it does not take
// breaks: exits
#include <stdlib.h>
#define REFUSE(message) exit(message == NULL ? 2 : 1)
#include "add_one.h"
