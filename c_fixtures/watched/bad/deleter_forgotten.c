// story: Counts references inline, and does not call the deleter when none is left.
// breaks: deleter-never
#include "../client.h"

int main(void) {
  for (int i = 0; i < 5; ++i) {
    TVMFFIObject* text = string(LONG_TEXT);
    __atomic_fetch_sub(&text->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  }
  return 0;
}
