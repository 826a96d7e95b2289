// story: A reference is taken to an object that was not found.
// breaks: null
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle missing = global("nobody.has.this");
  if (TVMFFIObjectIncRef(missing) != 0) take_error();
  return 0;
}
