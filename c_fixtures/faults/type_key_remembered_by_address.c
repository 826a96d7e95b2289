// story: TVMFFITypeKeyToIndex answers the index of before when the key lies in the same buffer with the same length, though other characters stand there now.
// breaks: TYP-0010 fail
#include "fault.h"

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  static __thread TVMFFIByteArray last;
  static __thread int32_t index;
  if (type_key && out_tindex && last.data && type_key->data == last.data && type_key->size == last.size) {
    *out_tindex = index;
    return 0;
  }
  int code = real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  if (code == 0) {
    last = *type_key;
    index = *out_tindex;
  }
  return code;
}
