// story: tries something, and leaves the error behind
// breaks: stale-error
#define AFTER TVMFFIErrorSetRaisedFromCStr("RuntimeError", "there is no faster way")
#include "add_one.h"
