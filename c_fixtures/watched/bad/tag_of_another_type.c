// story: A String is passed under the type index of Bytes.
// breaks: tag
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle f = function(nothing), text = string(LONG_TEXT);
  TVMFFIAny argument = object(text), result = none();
  argument.type_index = kTVMFFIBytes;
  must(TVMFFIFunctionCall(f, &argument, 1, &result));
  release(text);
  release(f);
  return 0;
}
