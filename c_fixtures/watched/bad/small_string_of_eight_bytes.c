// story: Eight bytes are stored inline, so that no NUL follows them.
// breaks: small-length
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle f = function(nothing);
  TVMFFIAny argument = {.type_index = kTVMFFISmallStr, .small_str_len = 8}, result = none();
  memcpy(argument.v_bytes, "8 bytes!", 8);
  must(TVMFFIFunctionCall(f, &argument, 1, &result));
  release(f);
  return 0;
}
