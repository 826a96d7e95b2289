// story: No object is passed under the type index of one, in place of None.
// breaks: null
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle f = function(nothing);
  TVMFFIAny argument = {.type_index = kTVMFFITensor}, result = none();
  must(TVMFFIFunctionCall(f, &argument, 1, &result));
  release(f);
  return 0;
}
