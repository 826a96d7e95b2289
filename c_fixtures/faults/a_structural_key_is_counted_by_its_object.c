// story: ffi.MapCount finds a StructuralKey for the very object alone that is the key.
// breaks: SEQ-0028 fail
#include "wrapped_global.h"

static int count(void* original, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(original, args, n, result);
  if (code != 0 || n != 2 || args[1].type_index < kTVMFFIDynObjectBegin) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(args[1].type_index);
  if (!is(&info->type_key, "ffi.StructuralKey") || result->v_int64 == 0) return code;
  /* Only the very same object is found. */
  TVMFFIAny it = {0}, ask = {0}, key = {0}, more = {0};
  if (call_global("ffi.MapForwardIterFunctor", args, 1, &it) != 0) return -1;
  result->v_int64 = 0;
  do {
    ask = (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = 0};
    key = more = (TVMFFIAny){0};
    real.TVMFFIFunctionCall(it.v_obj, &ask, 1, &key);
    if (key.v_obj == args[1].v_obj) result->v_int64 = 1;
    if (key.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(key.v_obj);
    ask.v_int64 = 2;
    if (real.TVMFFIFunctionCall(it.v_obj, &ask, 1, &more) != 0) break;
  } while (more.v_int64);
  real.TVMFFIObjectDecRef(it.v_obj);
  return 0;
}

WRAPPED_GLOBAL("ffi.MapCount", count)
