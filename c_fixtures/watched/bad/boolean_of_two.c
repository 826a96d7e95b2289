// story: A flag of C is passed on as a boolean, as the number that it is.
// breaks: boolean
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle f = function(nothing);
  TVMFFIAny argument = {.type_index = kTVMFFIBool, .v_int64 = 2}, result = none();
  must(TVMFFIFunctionCall(f, &argument, 1, &result));
  release(f);
  return 0;
}
