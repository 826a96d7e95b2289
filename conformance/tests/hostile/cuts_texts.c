// story: A String or Bytes has no more than the first seven bytes of its text.
#include "fault.h"

static int cut(int32_t kind, const TVMFFIByteArray* input, TVMFFIAny* out) {
  *out = (TVMFFIAny){.type_index = kind, .small_str_len = input->size < 7 ? (uint32_t)input->size : 7};
  memcpy(out->v_bytes, input->data, out->small_str_len);
  return 0;
}
int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) { return cut(kTVMFFISmallStr, input, out); }
int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) { return cut(kTVMFFISmallBytes, input, out); }
