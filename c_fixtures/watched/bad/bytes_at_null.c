// story: A text has a length and no address.
// breaks: byte-array
#include "../client.h"

int main(void) {
  TVMFFIByteArray text = {NULL, 5};
  TVMFFIAny result = none();
  if (TVMFFIStringFromByteArray(&text, &result) != 0) take_error();
  return 0;
}
