// story: A failure is noticed, and its error left where it is.
// breaks: error-not-taken
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle f = function(fails), g = function(nothing);
  TVMFFIAny result = none();
  if (TVMFFIFunctionCall(f, NULL, 0, &result) != 0) fprintf(stderr, "it failed\n");
  must(TVMFFIFunctionCall(g, NULL, 0, &result));
  take_error();
  release(g);
  release(f);
  return 0;
}
