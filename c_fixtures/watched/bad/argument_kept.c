// story: A callback keeps an argument without a reference, and it is used after its end.
// breaks: used-after-end
#include "../client.h"

static TVMFFIAny kept;

CALLBACK(keeps) {
  kept = args[0];
  return 0;
}

int main(void) {
  TVMFFIObjectHandle f = function(keeps), text = string(LONG_TEXT);
  TVMFFIAny argument = object(text), result = none();
  must(TVMFFIFunctionCall(f, &argument, 1, &result));
  release(text);
  TVMFFIAny owned = none();
  TVMFFIAnyViewToOwnedAny(&kept, &owned);
  release(f);
  return 0;
}
