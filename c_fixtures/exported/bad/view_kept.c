// story: uses the tensor of the call before
// breaks: view-kept
#include <stddef.h>
#include <tvm/ffi/c_api.h>

static DLTensor* before;
static float sum;

#define AFTER if (before != NULL && before->ndim == 1) sum += 1; before = y
#include "add_one.h"
