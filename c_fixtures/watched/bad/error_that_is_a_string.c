// story: A String is raised in place of an Error.
// breaks: wrong-type
#include "../client.h"

int main(void) {
  TVMFFIObjectHandle text = string(LONG_TEXT);
  TVMFFIErrorSetRaised(text);
  take_error();
  release(text);
  return 0;
}
