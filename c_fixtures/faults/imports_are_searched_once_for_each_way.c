// story: ffi.ModuleGetFunction goes to a module that is imported along several ways as often as there are ways.
// breaks: MOD-0082 timeout
#include "wrapped_global.h"

/* How many ways of a hundred steps and fewer there are from a module through imports. */
static int64_t ways(TVMFFIObject* module, int steps) {
  const TVMFFIFieldInfo* imports = &real.TVMFFIGetTypeInfo(kTVMFFIModule)->fields[0];
  TVMFFIAny array = {0};
  if (steps == 100 || imports->getter((char*)module + imports->offset, &array) != 0) return 0;
  const TVMFFISeqCell* cell = sequence_cell(&array);
  int64_t found = cell->size;
  for (int64_t i = 0; i < cell->size; ++i) found += ways(((const TVMFFIAny*)cell->data)[i].v_obj, steps + 1);
  real.TVMFFIObjectDecRef(array.v_obj);
  return found;
}

static int get_function(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 3 && args[0].type_index == kTVMFFIModule && args[2].v_int64 && ways(args[0].v_obj, 0) < 0) return -1;
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ModuleGetFunction", get_function)
