// story: is of no use after an error
// breaks: after-error
#include <tvm/ffi/c_api.h>

static int failed;

#define REFUSE(message) return (failed = 1, TVMFFIErrorSetRaisedFromCStr("ValueError", message), -1)
#define BEFORE if (failed) REFUSE("something failed before")
#include "add_one.h"
