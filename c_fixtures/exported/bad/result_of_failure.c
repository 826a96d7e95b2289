// story: leaves a text in its result and fails
// breaks: result-of-failure
#include "kernel.h"

KERNEL(text) {
  if (return_text("a text of more than seven bytes", result) != 0 || num_args == 0) return 0;
  TVMFFIErrorSetRaisedFromCStr("ValueError", "expected no argument");
  return -1;
}
