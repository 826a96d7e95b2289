// story: Strings are made and never released.
// breaks: lost
#include "../client.h"

static size_t length;

static OUT_OF_LINE size_t measure(void) {
  TVMFFIObject* text = string(LONG_TEXT);
  return ((TVMFFIByteArray*)(text + 1))->size;
}

int main(void) {
  for (int i = 0; i < 200; ++i) length += measure();
  printf("%zu\n", length);
  string("one more, in whose place addresses of the others stood");
  return 0;
}
