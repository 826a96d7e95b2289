// story: looks at the first element before it knows that there is one
// breaks: empty-tensor
#define AFTER (void)*(volatile float*)data_of(x)
#include "add_one.h"
