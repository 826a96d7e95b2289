// story: Every method is registered as a static one.
// breaks: RFL-0014 fail
#include "fault.h"

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  if (info == NULL) return real.TVMFFITypeRegisterMethod(type_index, info);
  TVMFFIMethodInfo wrong = *info;
  wrong.flags |= kTVMFFIFieldFlagBitMaskIsStaticMethod;
  return real.TVMFFITypeRegisterMethod(type_index, &wrong);
}
