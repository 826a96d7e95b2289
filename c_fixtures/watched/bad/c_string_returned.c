// story: A callback returns a C string, which nobody owns.
// breaks: view-returned
#include "../client.h"

CALLBACK(answers) {
  *result = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = "borrowed"};
  return 0;
}

int main(void) {
  TVMFFIObjectHandle f = function(answers);
  TVMFFIAny result = none();
  must(TVMFFIFunctionCall(f, NULL, 0, &result));
  release(f);
  return 0;
}
