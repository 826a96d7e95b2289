// story: gives up a reference that is not its own
// breaks: argument-released
#include "kernel.h"

KERNEL(forget) {
  if (num_args == 1 && args[0].type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(args[0].v_obj);
  return 0;
}
