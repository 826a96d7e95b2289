// story: The text of a String is printed after its end.
// breaks: read-after-end
#include "../client.h"

int main(void) {
  TVMFFIObject* text = string(LONG_TEXT);
  const TVMFFIByteArray* content = (const TVMFFIByteArray*)(text + 1);
  release(text);
  putchar(content->data[0]);
  return 0;
}
