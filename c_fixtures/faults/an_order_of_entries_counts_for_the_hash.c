// story: ffi.RecursiveHash of a Map depends on which of its entries comes first, while equality does not.
// breaks: REC-0011 fail
#include "wrapped_global.h"

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 1 || args[0].type_index != kTVMFFIMap) return code;
  TVMFFIObjectHandle functor = NULL;
  TVMFFIByteArray name = {"ffi.MapForwardIterFunctor", 25};
  TVMFFIAny walker = {0}, key = {0}, command = {.type_index = kTVMFFIInt};
  if (real.TVMFFIFunctionGetGlobal(&name, &functor) != 0) return -1;
  code = real.TVMFFIFunctionCall(functor, &args[0], 1, &walker);
  real.TVMFFIObjectDecRef(functor);
  if (code != 0) return code;
  if (real.TVMFFIFunctionCall(walker.v_obj, &command, 1, &key) == 0) {
    if (key.type_index == kTVMFFIInt) result->v_int64 ^= key.v_int64 << 7;
    if (key.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(key.v_obj);
  } else {
    TVMFFIObjectHandle error = NULL;
    real.TVMFFIErrorMoveFromRaised(&error);
    if (error != NULL) real.TVMFFIObjectDecRef(error);
  }
  real.TVMFFIObjectDecRef(walker.v_obj);
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveHash", hash)
