// story: A client calls the deleter of an object to which others hold references.
// breaks: deleter-early
#include "../client.h"

int main(void) {
  TVMFFIObject* text = string(LONG_TEXT);
  must(TVMFFIObjectIncRef(text));
  text->deleter(text, kTVMFFIObjectDeleterFlagBitMaskBoth);
  return 0;
}
