// story: A List or an Array is asked for an object by identity where its type has only one of the two hooks for keys.
// breaks: ARR-0014 fail
// breaks: LST-0016 fail
#include "wrapped_global.h"

static int has(const char* column, int32_t type_index) {
  const TVMFFIByteArray name = {column, strlen(column)};
  const TVMFFITypeAttrColumn* found = real.TVMFFIGetTypeAttrColumn(&name);
  if (!found || type_index < found->begin_index || type_index >= found->begin_index + found->size) return 0;
  return found->data[type_index - found->begin_index].type_index != kTVMFFINone;
}

static int contains(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_object = num_args == 2 && args[1].type_index >= kTVMFFIStaticObjectEnd;
  if (!is_object || has("__any_equal__", args[1].type_index) == has("__any_hash__", args[1].type_index)) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFISeqCell* cell = sequence_cell(&args[0]);
  int64_t found = 0;
  for (int64_t i = 0; i < cell->size; ++i) found |= ((const TVMFFIAny*)cell->data)[i].v_obj == args[1].v_obj;
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = found};
  return 0;
}

WRAPPED_GLOBALS(contains, "ffi.ArrayContains", "ffi.ListContains")
