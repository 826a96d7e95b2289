// story: says that its result is of another type than it is
// breaks: result-object
#include "kernel.h"

KERNEL(text) {
  int status = return_text("a text of more than seven bytes", result);
  result->type_index = kTVMFFIBytes;
  return status;
}
