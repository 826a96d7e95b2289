// story: A client calls the deleter of an object that it has released.
// breaks: deleter-twice
#include "../client.h"

int main(void) {
  TVMFFIObject* text = string(LONG_TEXT);
  release(text);
  text->deleter(text, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}
