// story: An object without a deleter has address 0 called at its end.
// breaks: OBJ-0013 crash
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* header = obj;
  if (obj && !header->deleter && (uint32_t)header->combined_ref_count == 1) {
    ((void (*volatile)(void*, int))NULL)(obj, kTVMFFIObjectDeleterFlagBitMaskBoth);
  }
  return real.TVMFFIObjectDecRef(obj);
}
