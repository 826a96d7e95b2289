// story: The end of an object is always made in two steps: its deleter is called with the flag 1 and then with the flag 2.
// breaks: OBJ-0009 fail
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* header = obj;
  if (!obj || header->combined_ref_count != ((uint64_t)1 << 32 | 1)) return real.TVMFFIObjectDecRef(obj);
  header->combined_ref_count = 0;
  if (header->deleter) {
    header->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskStrong);
    header->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
  return 0;
}
