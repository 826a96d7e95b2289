// story: A callback releases its argument, which belongs to the caller.
// breaks: argument-released
#include "../client.h"

CALLBACK(releases) {
  release(args[0].v_obj);
  return 0;
}

int main(void) {
  TVMFFIObjectHandle f = function(releases), text = string(LONG_TEXT);
  TVMFFIAny argument = object(text), result = none();
  must(TVMFFIFunctionCall(f, &argument, 1, &result));
  release(f);
  return 0;
}
