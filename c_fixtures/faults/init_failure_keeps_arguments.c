// story: A generated initialiser that fails keeps the references to its arguments that it took.
// breaks: DCL-0015 fail
#include "wrapped_global.h"

static int init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int i = 0; i < num_args; i++)
    if (args[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(args[i].v_obj);
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  for (int i = 0; i < num_args; i++)
    if (args[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(args[i].v_obj);
  return 0;
}

static int register_init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  TVMFFIByteArray name = {"__ffi_init__", 12};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  TVMFFIAny* entry = (TVMFFIAny*)column->data + args[0].v_int64;
  TVMFFIObjectHandle wrapper;
  if (entry->type_index == kTVMFFIFunction && real.TVMFFIFunctionCreate(entry->v_obj, init, NULL, &wrapper) == 0)
    entry->v_obj = wrapper;
  return 0;
}

WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)
