// story: A setter that is said to be a function object is retained without a look whether it is NULL.
// breaks: RFL-0013 crash
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (info && info->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) {
    volatile TVMFFIObject* setter = (volatile TVMFFIObject*)info->setter;
    setter->combined_ref_count = setter->combined_ref_count;
  }
  return real.TVMFFITypeRegisterField(type_index, info);
}
