// story: A BigInt object that is made of words lies at a multiple of 64 and has memory for sixteen words more than it counts.
// admitted: BIG-0006: the header "is followed by the number of its words and then by the words themselves"; OBJ-0004 asks for a multiple of eight; alignment and size above that are nowhere limited.
#include "fault.h"

struct big_int {
  TVMFFIObject header;
  size_t count;
  int64_t words[];
};

static void end_big_int(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ((TVMFFIObjectAllocHeader*)self)[-1].delete_space(self);
}

int TVMFFIBigIntFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !out || !input->data || input->size % 8 != 0 || input->size > 1ull << 32) return real.TVMFFIBigIntFromByteArray(input, out);
  const char* data = input->data;
  size_t count = input->size / 8;
  int64_t last = 0, below = 0;
  for (; count > 1; --count) {
    memcpy(&last, data + 8 * (count - 1), 8);
    memcpy(&below, data + 8 * (count - 2), 8);
    if (last != (below < 0 ? -1 : 0)) break;
  }
  if (count <= 1) return real.TVMFFIBigIntFromByteArray(input, out);
  TVMFFICustomAllocator* allocator = real.TVMFFIGetCustomAllocator();
  const size_t size = (sizeof(struct big_int) + (count + 16) * 8 + 63) / 64 * 64;
  struct big_int* made = allocator->allocate(size, 64, kTVMFFIBigInt, allocator->context);
  if (!made) return -1;
  memset(&made->header, 0, sizeof(made->header));
  made->header.combined_ref_count = 1ull << 32 | 1;
  made->header.type_index = kTVMFFIBigInt;
  made->header.deleter = end_big_int;
  made->count = count;
  memcpy(made->words, data, count * 8);
  *out = (TVMFFIAny){.type_index = kTVMFFIBigInt, .v_obj = &made->header};
  return 0;
}
