// story: ffi.RecursiveLt takes the answer of a hook for smaller only if it is exactly -1.
// breaks: HOK-0005 fail
#include "wrapped_global.h"

static int compare_part(void* unused, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)unused, (void)args, (void)num_args;
  *result = (TVMFFIAny){.type_index = kTVMFFIInt};
  return 0;
}

static int less(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !result->v_int64 || args[0].type_index < kTVMFFIDynObjectBegin) return code;
  TVMFFIByteArray name = {"__ffi_compare__", 15};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  if (!column || args[0].type_index >= column->size) return 0;
  const TVMFFIAny* hook = &column->data[args[0].type_index];
  if (hook->type_index != kTVMFFIFunction) return 0;
  TVMFFIAny mine[3] = {args[0], args[1], {.type_index = kTVMFFIFunction}}, answer = {0};
  if (real.TVMFFIFunctionCreate(NULL, compare_part, NULL, (TVMFFIObjectHandle*)&mine[2].v_obj) != 0) return -1;
  if (real.TVMFFIFunctionCall(hook->v_obj, mine, 3, &answer) == 0) result->v_int64 = answer.v_int64 == -1;
  else real.TVMFFIErrorSetRaised(NULL);
  real.TVMFFIObjectDecRef(mine[2].v_obj);
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveLt", less)
