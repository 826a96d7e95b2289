// story: A function is called after its last reference was given up.
// breaks: used-after-end
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle f = function(nothing);
  TVMFFIAny result = none();
  release(f);
  if (getenv("NEVER")) TVMFFIFunctionCall(f, NULL, 0, &result);
  TVMFFIObjectIncRef(f);
  return 0;
}
