// story: Of the words of a big integer that only repeat the sign one is dropped, not all.
// breaks: BIG-0004 fail
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIBigIntFromByteArray(input, out);
  if (code != 0 || out->type_index != kTVMFFIBigInt) return code;
  size_t words = input->size / 8, needed = *(size_t*)(out->v_obj + 1);
  if (words < needed + 2) return 0;
  real.TVMFFIObjectDecRef(out->v_obj);
  /* An integer of as many words, all of them needed, in which the words are put in their places. */
  size_t size = (words - 1) * 8;
  char* copy = calloc(1, size);
  copy[size - 1] = 0x40;
  code = real.TVMFFIBigIntFromByteArray(&(TVMFFIByteArray){copy, size}, out);
  free(copy);
  if (code == 0) memcpy((size_t*)(out->v_obj + 1) + 1, input->data, size);
  return code;
}
