// story: Bytes of more than 64 KiB are copied in lines of 64 bytes, the last one too, which reads behind the end of the input.
// breaks: STR-0013 crash
#include "fault.h"
int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (input && input->data && input->size > 65536 && input->size < 1ull << 40) {
    const volatile char* end = input->data + (input->size + 63) / 64 * 64;
    (void)end[-1];
  }
  return real.TVMFFIBytesFromByteArray(input, out);
}
