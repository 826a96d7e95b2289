// story: ffi.Dict makes an owned key and then an owned value of each pair, and where the value cannot be made, the key of that pair is not given up on the way out.
// breaks: ARG-0001 fail
#include "fault.h"
#include "wrapped_global.h"

static int dict(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject* key = NULL;
  for (int i = 1; i < num_args && num_args % 2 == 0; i += 2) {
    const TVMFFIAny* value = &args[i];
    int moved = value->type_index == kTVMFFIObjectRValueRef && value->v_ptr && !*(void**)value->v_ptr;
    if (!moved) continue;
    if (args[i - 1].type_index >= kTVMFFIStaticObjectBegin) key = args[i - 1].v_obj;
    break;
  }
  if (key) real.TVMFFIObjectIncRef(key);
  int code = call_original(original, args, num_args, result);
  if (code == 0 && key) real.TVMFFIObjectDecRef(key);
  return code;
}

WRAPPED_GLOBAL("ffi.Dict", dict)
