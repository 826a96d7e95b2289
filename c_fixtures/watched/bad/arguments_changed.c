// story: A callback uses its arguments as room to work in.
// breaks: args-changed
#include "../client.h"

CALLBACK(scribbles) {
  ((TVMFFIAny*)args)[0].v_int64 += 1;
  return 0;
}

int main(void) {
  TVMFFIObjectHandle f = function(scribbles);
  TVMFFIAny argument = integer(3), result = none();
  must(TVMFFIFunctionCall(f, &argument, 1, &result));
  release(f);
  return 0;
}
