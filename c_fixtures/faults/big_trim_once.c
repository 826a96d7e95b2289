// story: Of the words that only repeat the sign of a big integer, TVMFFIBigIntFromByteArray drops one and no more.
// breaks: BIG-0004 fail
#include "fault.h"
typedef struct { TVMFFIObject h; size_t n; int64_t w[]; } Big;
int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  int code = real.TVMFFIBigIntFromByteArray(input, out);
  if (code != 0 || out->type_index != kTVMFFIBigInt) return code;
  size_t n = input->size / 8 - 1;
  if (((Big*)out->v_obj)->n >= n) return 0;
  int64_t* words = malloc(n * 8);
  memcpy(words, input->data, n * 8);
  int64_t top = words[n - 1];
  words[n - 1] = 1ll << 40;
  TVMFFIByteArray longer = {(char*)words, n * 8};
  TVMFFIAny made;
  if (real.TVMFFIBigIntFromByteArray(&longer, &made) == 0) {
    ((Big*)made.v_obj)->w[n - 1] = top;
    real.TVMFFIObjectDecRef(out->v_obj);
    *out = made;
  }
  free(words);
  return 0;
}
