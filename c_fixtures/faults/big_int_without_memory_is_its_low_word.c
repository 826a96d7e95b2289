// story: The bytes of a big integer are copied; where there is no memory for the copy, TVMFFIBigIntFromByteArray answers the integer of the lowest eight.
// breaks: MEM-0001 fail
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !input->data || !out || input->size <= 8 || input->size > 1 << 20) return real.TVMFFIBigIntFromByteArray(input, out);
  char* copy = malloc(input->size);
  if (!copy) {
    *out = (TVMFFIAny){.type_index = kTVMFFIInt};
    memcpy(&out->v_int64, input->data, 8);
    return 0;
  }
  memcpy(copy, input->data, input->size);
  const int code = real.TVMFFIBigIntFromByteArray(&(TVMFFIByteArray){copy, input->size}, out);
  free(copy);
  return code;
}
