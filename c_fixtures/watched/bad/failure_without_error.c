// story: A callback fails without a word.
// breaks: failure-without-error
#include "../client.h"

CALLBACK(fails_silently) { return -1; }

int main(void) {
  TVMFFIObjectHandle f = function(fails_silently);
  TVMFFIAny result = none();
  if (TVMFFIFunctionCall(f, NULL, 0, &result) != 0) take_error();
  release(f);
  return 0;
}
