// story: A callback returns its argument without a reference for the caller.
// breaks: used-after-end
#include "../client.h"

CALLBACK(same) {
  *result = args[0];
  return 0;
}

int main(void) {
  TVMFFIObjectHandle f = function(same), text = string(LONG_TEXT);
  TVMFFIAny argument = object(text), result = none();
  must(TVMFFIFunctionCall(f, &argument, 1, &result));
  release(result.v_obj);
  TVMFFIObjectDecRef(text);
  release(f);
  return 0;
}
