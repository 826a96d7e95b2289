// story: A data type is stored over a pointer, whose upper half stays.
// breaks: padding
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle f = function(nothing);
  TVMFFIAny argument = {.type_index = kTVMFFIDataType, .v_ptr = (void*)-1}, result = none();
  argument.v_dtype = (DLDataType){kDLFloat, 32, 1};
  must(TVMFFIFunctionCall(f, &argument, 1, &result));
  release(f);
  return 0;
}
