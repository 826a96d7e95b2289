// story: A small string is written over a longer one.
// breaks: padding
#include "../client.h"

int main(void) {
  TVMFFIAny argument = {.type_index = kTVMFFISmallStr, .small_str_len = 2}, result = none();
  memcpy(argument.v_bytes, "ab-old", 6);
  must(TVMFFIAnyViewToOwnedAny(&argument, &result));
  return 0;
}
