// story: looks into a tensor that is NULL
// breaks: null-pointer
#define WITHOUT_NULL
#include "add_one.h"
