// story: A callback answers a number of its own for a failure.
// breaks: status
#include "../client.h"

CALLBACK(answers) {
  TVMFFIErrorSetRaisedFromCStr("ValueError", "five");
  return 5;
}

int main(void) {
  TVMFFIObjectHandle f = function(answers);
  TVMFFIAny result = none();
  if (TVMFFIFunctionCall(f, NULL, 0, &result) != 0) take_error();
  release(f);
  return 0;
}
