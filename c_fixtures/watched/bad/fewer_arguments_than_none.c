// story: The number of arguments is negative.
// breaks: arguments
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle f = function(nothing);
  TVMFFIAny result = none();
  if (TVMFFIFunctionCall(f, NULL, -1, &result) != 0) take_error();
  release(f);
  return 0;
}
