// story: Errors are taken, looked at and never released.
// breaks: lost
#include "../client.h"

static size_t length;

static OUT_OF_LINE size_t fail(TVMFFIObjectHandle f) {
  TVMFFIAny result = none();
  TVMFFIObjectHandle error = NULL;
  if (TVMFFIFunctionCall(f, NULL, 0, &result) == 0) return 0;
  TVMFFIErrorMoveFromRaised(&error);
  return ((TVMFFIErrorCell*)((TVMFFIObject*)error + 1))->message.size;
}

int main(void) {
  TVMFFIObjectHandle f = function(fails);
  for (int i = 0; i < 200; ++i) length += fail(f);
  printf("%zu\n", length);
  release(f);
  return 0;
}
