// story: An argument is passed that was never given a type.
// breaks: type-index
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle f = function(nothing);
  TVMFFIAny argument = {.type_index = 0x5555, .v_int64 = 1}, result = none();
  argument.type_index = 40;
  must(TVMFFIFunctionCall(f, &argument, 1, &result));
  release(f);
  return 0;
}
