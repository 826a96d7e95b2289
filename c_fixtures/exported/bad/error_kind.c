// story: has no kind for its errors
// breaks: error-kind
#define ERROR_KIND ""
#include "add_one.h"
