// story: A cache of addresses takes a reference to an object that has ended.
// breaks: count-after-end
#include "../client.h"

int main(void) {
  TVMFFIObject* text = string(LONG_TEXT);
  release(text);
  __atomic_fetch_add(&text->combined_ref_count, 1, __ATOMIC_RELAXED);
  return 0;
}
