// story: The deleter of its own object frees the memory, though there are weak references.
// breaks: freed-early
#include "../client.h"

static void end(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) free(self);
}

int main(void) {
  TVMFFIByteArray key = bytes("watched.Own");
  TVMFFIObject* own = calloc(1, 64);
  own->combined_ref_count = (uint64_t)2 << 32 | 1;
  own->type_index = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  own->deleter = end;
  TVMFFIObjectHandle make = global("ffi.Array");
  TVMFFIAny item = object(own), array = none();
  must(TVMFFIFunctionCall(make, &item, 1, &array));
  release(own);
  release(array.v_obj);
  release(make);
  return 0;
}
