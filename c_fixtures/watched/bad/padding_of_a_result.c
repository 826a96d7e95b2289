// story: A callback leaves what was on its stack in the second word of its result.
// breaks: padding
#include "../client.h"

CALLBACK(careless) {
  result->type_index = kTVMFFIFloat;
  result->zero_padding = 7;
  result->v_float64 = 0.5;
  return 0;
}

int main(void) {
  TVMFFIObjectHandle f = function(careless);
  TVMFFIAny result = none();
  must(TVMFFIFunctionCall(f, NULL, 0, &result));
  release(f);
  return 0;
}
