// story: writes down how much it has done where the shape stands
// breaks: tensor-changed
#define AFTER y->shape[0] -= 1
#include "add_one.h"
