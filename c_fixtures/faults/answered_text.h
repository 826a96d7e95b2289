/* Faults in what a written text is like: another takes its place. */
#ifndef TVM_FFI_ANSWERED_TEXT_H_
#define TVM_FFI_ANSWERED_TEXT_H_

#include "fault.h"

/** Puts a String of these bytes in the place of the text that was answered, or of another value that is held. */
static inline int answer_instead(TVMFFIAny* result, const char* data, size_t size) {
  const TVMFFIAny former = *result;
  *result = (TVMFFIAny){.type_index = kTVMFFINone};
  int code = real.TVMFFIStringFromByteArray(&(TVMFFIByteArray){data, size}, result);
  if (former.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(former.v_obj);
  return code;
}

#endif /* TVM_FFI_ANSWERED_TEXT_H_ */
