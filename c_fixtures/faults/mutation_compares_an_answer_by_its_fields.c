// story: ffi.StructuralMutate takes the answer of a callback for no change where it is recursively equal to the value, and leaves the object that was there.
// breaks: VIS-0022 fail
#include "raised_error.h"
#include "wrapped_global.h"

static int call_back(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(self, args, num_args, result);
  if (code != 0 || num_args < 1 || result->type_index < kTVMFFIDynObjectBegin) return code;
  if (result->type_index != args[0].type_index || result->v_obj == args[0].v_obj) return code;
  TVMFFIAny same = {0};
  const TVMFFIAny asked[2] = {args[0], *result};
  if (call_global("ffi.RecursiveEq", asked, 2, &same) != 0) forget_raised();
  if (same.v_int64) {
    real.TVMFFIObjectIncRef(args[0].v_obj);
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = args[0];
  }
  return code;
}

static int mutate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  /* Only where there is one callback. */
  const TVMFFIAny* entry = NULL;
  if (num_args == 2 && args[1].type_index == kTVMFFIArray && sequence_cell(&args[1])->size == 1) entry = sequence_cell(&args[1])->data;
  if (!entry || entry->type_index != kTVMFFIArray || sequence_cell(entry)->size != 3) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny parts[3], changed = {0}, list = {0};
  TVMFFIObjectHandle function = NULL;
  memcpy(parts, sequence_cell(entry)->data, sizeof(parts));
  if (parts[1].type_index != kTVMFFIFunction || real.TVMFFIFunctionCreate(parts[1].v_obj, call_back, NULL, &function) != 0) {
    return call_original(original, args, num_args, result);
  }
  parts[1].v_obj = function;
  int code = call_global("ffi.Array", parts, 3, &changed);
  if (code == 0) code = call_global("ffi.Array", &changed, 1, &list);
  const TVMFFIAny passed[2] = {args[0], list};
  if (code == 0) code = call_original(original, passed, 2, result);
  if (list.v_obj) real.TVMFFIObjectDecRef(list.v_obj);
  if (changed.v_obj) real.TVMFFIObjectDecRef(changed.v_obj);
  real.TVMFFIObjectDecRef(function);
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralMutate", mutate)
