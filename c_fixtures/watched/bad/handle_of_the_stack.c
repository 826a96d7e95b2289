// story: What the client takes for an object is memory of its own, which holds nothing in particular.
// breaks: not-an-object
#include "../client.h"

int main(void) {
  unsigned char buffer[64];
  memset(buffer, 0x5A, sizeof(buffer));
  TVMFFIObjectDecRef(buffer);
  return 0;
}
