// story: Addresses of objects are kept with a mark in their lowest bit.
#include "../client.h"

uintptr_t marked[64];

static OUT_OF_LINE void fill(void) {
  for (int i = 0; i < 64; ++i) marked[i] = (uintptr_t)string(LONG_TEXT) | 1;
}

int main(void) {
  fill();
  return 0;
}
