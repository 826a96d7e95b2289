/*
 * Faults in hooks that clients register for their types: `wrapped_hook` registers, in the place of a function object, one
 * with the callee, whose first argument is the client's function.
 */
#ifndef TVM_FFI_HOOK_REGISTRATION_H_
#define TVM_FFI_HOOK_REGISTRATION_H_

#include "wrapped_global.h"

static inline void end_hook(void* function) { real.TVMFFIObjectDecRef(function); }

static inline int wrapped_hook(int32_t type_index, const TVMFFIByteArray* column, const TVMFFIAny* hook,
                               TVMFFISafeCallType callee) {
  TVMFFIObjectHandle wrapper = NULL;
  if (hook->type_index != kTVMFFIFunction) return real.TVMFFITypeRegisterAttr(type_index, column, hook);
  real.TVMFFIObjectIncRef(hook->v_obj);
  int code = real.TVMFFIFunctionCreate(hook->v_obj, callee, end_hook, &wrapper);
  if (code != 0) return code;
  const TVMFFIAny wrapped = {.type_index = kTVMFFIFunction, .v_obj = wrapper};
  code = real.TVMFFITypeRegisterAttr(type_index, column, &wrapped);
  real.TVMFFIObjectDecRef(wrapper);
  return code;
}

#endif /* TVM_FFI_HOOK_REGISTRATION_H_ */
