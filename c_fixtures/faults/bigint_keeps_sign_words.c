// story: Words that only repeat the sign of an integer are kept: equal integers have many forms.
// breaks: BIG-0004 fail
#include "fault.h"

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  size_t count = input == NULL || input->data == NULL || input->size % 8 != 0 ? 0 : input->size / 8;
  if (count < 2) return real.TVMFFIBigIntFromByteArray(input, out);
  int64_t* words = malloc(input->size);
  memcpy(words, input->data, input->size);
  int64_t last = words[count - 1];
  /* A last word that no integer can do without, to be replaced when the object has been made. */
  words[count - 1] = INT64_MAX / 3;
  TVMFFIByteArray changed = {(const char*)words, input->size};
  int code = real.TVMFFIBigIntFromByteArray(&changed, out);
  if (code == 0) ((int64_t*)((char*)out->v_obj + sizeof(TVMFFIObject)))[count] = last;
  free(words);
  return code;
}
