// story: A callback raises an error and answers success.
// breaks: stale-error
#include "../client.h"

CALLBACK(forgets) {
  TVMFFIErrorSetRaisedFromCStr("ValueError", "nobody is told");
  return 0;
}

int main(void) {
  TVMFFIObjectHandle f = function(forgets);
  TVMFFIAny result = none();
  must(TVMFFIFunctionCall(f, NULL, 0, &result));
  take_error();
  release(f);
  return 0;
}
