// story: A String is passed as an argument after its end.
// breaks: used-after-end
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle f = function(nothing), text = string(LONG_TEXT);
  TVMFFIAny argument = object(text), result = none();
  release(text);
  TVMFFIFunctionCall(f, &argument, 1, &result);
  release(f);
  return 0;
}
