// story: returns a small string, and leaves what was there behind its end
// breaks: result-padding
#include "kernel.h"

#include <string.h>

KERNEL(name) {
  TVMFFIAny text = {.type_index = kTVMFFISmallStr};
  text.small_str_len = 3;
  memcpy(text.v_bytes, "abcdefg", 8);
  *result = text;
  return 0;
}
