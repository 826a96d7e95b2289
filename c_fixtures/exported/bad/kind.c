// story: takes whatever it is given for a tensor
// breaks: wrong-kind
// also: null-pointer
#define WITHOUT_KIND
#define WITHOUT_NULL
#include "add_one.h"
