// story: ffi.RecursiveHash keeps the hash of the last String object without a deleter, which it takes to live for ever: another that the client makes in the same memory has the hash of the former.
// breaks: REC-0011 fail
#include "wrapped_global.h"

static _Thread_local TVMFFIObject* last;
static _Thread_local TVMFFIAny last_hash;

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int is_fixed = num_args == 1 && args[0].type_index == kTVMFFIStr && !args[0].v_obj->deleter;
  if (is_fixed && args[0].v_obj == last) {
    *result = last_hash;
    return 0;
  }
  int code = call_original(original, args, num_args, result);
  if (code == 0 && is_fixed) {
    last = args[0].v_obj;
    last_hash = *result;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
