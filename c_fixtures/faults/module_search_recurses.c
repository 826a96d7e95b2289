// story: A search through imports calls itself for each of them.
// breaks: MOD-0082 crash
#include "wrapped_global.h"

/* How many modules there are along the first imports. */
static int64_t depth(TVMFFIObject* module) {
  volatile char frame[256];
  const TVMFFIFieldInfo* imports = &real.TVMFFIGetTypeInfo(kTVMFFIModule)->fields[0];
  TVMFFIAny array = {0};
  frame[0] = 0;
  if (imports->getter((char*)module + imports->offset, &array) != 0) return frame[0];
  const TVMFFISeqCell* cell = sequence_cell(&array);
  int64_t found = cell->size > 0 ? 1 + depth(((const TVMFFIAny*)cell->data)->v_obj) : 0;
  real.TVMFFIObjectDecRef(array.v_obj);
  return found + frame[0];
}

static int get_function(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 3 && args[0].type_index == kTVMFFIModule && args[2].v_int64 && depth(args[0].v_obj) < 0) return -1;
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", get_function)
