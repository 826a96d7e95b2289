// story: Each round takes a reference and gives up none of two.
// breaks: lost
#include "../client.h"

static OUT_OF_LINE void round_of(void) {
  TVMFFIObjectHandle f = function(nothing);
  must(TVMFFIObjectIncRef(f));
  release(f);
}

int main(void) {
  for (int i = 0; i < 200; ++i) round_of();
  return 0;
}
