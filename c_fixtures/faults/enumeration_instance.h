/* Faults in what becomes of instances of enumerations: objects of types below ffi.Enum. */
#ifndef TVM_FFI_ENUMERATION_INSTANCE_H_
#define TVM_FFI_ENUMERATION_INSTANCE_H_

#include "wrapped_global.h"

static inline int is_instance(const TVMFFIAny* value) {
  const TVMFFIByteArray key = {"ffi.Enum", 8};
  int32_t index = 0;
  if (value->type_index < kTVMFFIDynObjectBegin || real.TVMFFITypeKeyToIndex(&key, &index) != 0) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(value->type_index);
  const TVMFFITypeInfo* base = real.TVMFFIGetTypeInfo(index);
  return info->type_depth > base->type_depth && info->type_ancestors[base->type_depth] == base;
}

#endif /* TVM_FFI_ENUMERATION_INSTANCE_H_ */
