// story: ffi.StructuralWalk reads as many parts of a callback as it needs, and passes over what there is too much of.
// breaks: VIS-0026 fail
#include "wrapped_global.h"

/** Whether the first callback of a list has three parts. */
static int has_three_parts(const TVMFFIAny* list) {
  TVMFFIAny args[2] = {*list, {.type_index = kTVMFFIInt}}, row, size = {0};
  if (list->type_index != kTVMFFIArray || call_global("ffi.ArrayGetItem", args, 2, &row) != 0) return 0;
  if (row.type_index != kTVMFFIArray || call_global("ffi.ArraySize", &row, 1, &size) != 0) size.v_int64 = 0;
  if (row.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(row.v_obj);
  return size.v_int64 == 3;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny size = {0};
  if (num_args != 4 || args[1].type_index != kTVMFFIArray || call_global("ffi.ArraySize", &args[1], 1, &size) != 0 ||
      size.v_int64 == 0 || !has_three_parts(&args[1])) {
    return call_original(original, args, num_args, result);
  }
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralWalk", callee)
