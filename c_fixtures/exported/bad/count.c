// story: reads its arguments without a look at how many there are
// breaks: wrong-count
#define WITHOUT_COUNT
#include "add_one.h"
