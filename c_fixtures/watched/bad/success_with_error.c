// story: A callback tries something that fails, goes on, and leaves the error behind.
// breaks: stale-error
#include "../client.h"

CALLBACK(tries) {
  TVMFFIAny ignored = none();
  TVMFFIFunctionCall(args[0].v_obj, NULL, 0, &ignored);
  return 0;
}

int main(void) {
  TVMFFIObjectHandle f = function(tries), g = function(fails);
  TVMFFIAny argument = object(g), result = none();
  must(TVMFFIFunctionCall(f, &argument, 1, &result));
  take_error();
  release(g);
  release(f);
  return 0;
}
