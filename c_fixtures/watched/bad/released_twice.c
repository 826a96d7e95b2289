// story: An object is released by two owners, of which one holds no reference.
// breaks: used-after-end
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle text = string(LONG_TEXT);
  release(text);
  TVMFFIObjectDecRef(text);
  return 0;
}
