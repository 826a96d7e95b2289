// story: A handle is the address of something else.
// breaks: not-an-object
#include "../client.h"

int main(void) {
  static int64_t words[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  if (TVMFFIObjectIncRef(words) != 0) take_error();
  return 0;
}
