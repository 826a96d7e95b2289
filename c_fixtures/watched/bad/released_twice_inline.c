// story: A client that counts references itself gives up one that it does not hold.
// breaks: count-after-end
#include "../client.h"

static void release_inline(TVMFFIObjectHandle handle) {
  TVMFFIObject* header = handle;
  uint64_t before = __atomic_fetch_sub(&header->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if (before == 0x100000001) header->deleter(header, kTVMFFIObjectDeleterFlagBitMaskBoth);
}

int main(void) {
  TVMFFIObjectHandle text = string(LONG_TEXT);
  release_inline(text);
  release_inline(text);
  return 0;
}
