// story: A callback answers an object that it keeps for itself, without a reference for its caller.
// breaks: used-after-end
#include "../client.h"

static TVMFFIObjectHandle kept;

CALLBACK(cached) {
  *result = object(kept);
  return 0;
}

int main(void) {
  kept = string(LONG_TEXT);
  TVMFFIObjectHandle f = function(cached);
  for (int i = 0; i < 2; ++i) {
    TVMFFIAny answer = none();
    must(TVMFFIFunctionCall(f, NULL, 0, &answer));
    release(answer.v_obj);
  }
  release(f);
  return 0;
}
