// story: returns a C string of its own
// breaks: result-borrowed
#include "kernel.h"

KERNEL(version) {
  *result = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = "1.0"};
  return 0;
}
