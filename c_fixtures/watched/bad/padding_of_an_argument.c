// story: An argument is a union that was filled in without being cleared.
// breaks: padding
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle f = function(nothing);
  TVMFFIAny argument, result = none();
  memset(&argument, 0xAA, sizeof(argument));
  argument.type_index = kTVMFFIInt;
  argument.v_int64 = 1;
  must(TVMFFIFunctionCall(f, &argument, 1, &result));
  release(f);
  return 0;
}
