// story: The result of one call is given to the next, which does not release what is in there.
// breaks: result-not-reset
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle f = function(nothing);
  TVMFFIAny result = object(string(LONG_TEXT));
  must(TVMFFIFunctionCall(f, NULL, 0, &result));
  release(result.v_obj);
  release(f);
  return 0;
}
