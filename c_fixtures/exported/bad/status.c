// story: says that it failed in a way of its own
// breaks: status
#include "kernel.h"

KERNEL(one_or_nothing) {
  if (num_args < 2) return 0;
  TVMFFIErrorSetRaisedFromCStr("ValueError", "expected one argument at most");
  return 1;
}
