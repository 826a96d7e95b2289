// story: works on four elements at a time, also where fewer are left
// breaks: writes-outside
#define COUNT ((x->shape[0] + 3) / 4 * 4)
#include "add_one.h"
