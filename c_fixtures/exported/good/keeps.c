// story: keeps its latest argument, with a reference to it, and counts its calls
#include "kernel.h"

static TVMFFIObjectHandle kept;

KERNEL(keep) {
  if (num_args != 1 || args[0].type_index < kTVMFFIStaticObjectBegin) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "expected an object");
    return -1;
  }
  TVMFFIObjectIncRef(args[0].v_obj);
  if (kept != NULL) TVMFFIObjectDecRef(kept);
  kept = args[0].v_obj;
  return 0;
}

KERNEL(count_calls) {
  static int calls;
  *result = int_value(++calls);
  return 0;
}

KERNEL(works_once) {
  static int used;
  if (used++ == 0) return 0;
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "it was used before");
  return -1;
}
