// story: Of several words that only repeat the sign of a negative big integer, one is dropped and the others are kept.
// breaks: BIG-0004 fail
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !out || !input->data || input->size % 8 != 0 || input->size < 32 || input->size > 8192) {
    return real.TVMFFIBigIntFromByteArray(input, out);
  }
  size_t count = input->size / 8, needed = count;
  int64_t words[1024];
  memcpy(words, input->data, input->size);
  while (needed > 1 && words[needed - 1] == -1 && words[needed - 2] < 0) --needed;
  if (needed < 2 || needed + 1 >= count || words[count - 1] != -1) return real.TVMFFIBigIntFromByteArray(input, out);
  words[count - 2] = -2;
  const TVMFFIByteArray changed = {(const char*)words, (count - 1) * 8};
  int code = real.TVMFFIBigIntFromByteArray(&changed, out);
  if (code == 0) ((int64_t*)(out->v_obj + 1))[count - 1] = -1;
  return code;
}
