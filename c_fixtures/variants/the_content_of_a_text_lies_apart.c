// story: The content of a String or Bytes object that is made of a byte array lies in a block of its own at a multiple of 64, not behind the object; nothing follows the content of Bytes.
// admitted: STR-0006: the header is followed by "the address of the content, then its length", and no sentence says where the content lies; the NUL behind Bytes (STR-0028) is advice.
#include "fault.h"

struct text {
  TVMFFIObject header;
  TVMFFIByteArray bytes;
};

static void end_text(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    free((void*)((struct text*)self)->bytes.data);
    ((struct text*)self)->bytes = (TVMFFIByteArray){NULL, 0};
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ((TVMFFIObjectAllocHeader*)self)[-1].delete_space(self);
}

static int make_text(const TVMFFIByteArray* input, int32_t type_index, TVMFFIAny* out) {
  const TVMFFIByteArray given = *input;
  TVMFFICustomAllocator* allocator = real.TVMFFIGetCustomAllocator();
  char* content = aligned_alloc(64, (given.size + 1 + 63) / 64 * 64);
  if (!content) return refuse("MemoryError", "no memory for a text");
  struct text* text = allocator->allocate(sizeof(struct text), 8, type_index, allocator->context);
  if (!text) {
    free(content);
    return -1;
  }
  memcpy(content, given.data, given.size);
  content[given.size] = type_index == kTVMFFIStr ? 0 : (char)0xEE;
  memset(&text->header, 0, sizeof(text->header));
  text->header.combined_ref_count = 1ull << 32 | 1;
  text->header.type_index = type_index;
  text->header.deleter = end_text;
  text->bytes = (TVMFFIByteArray){content, given.size};
  *out = (TVMFFIAny){.type_index = type_index, .v_obj = &text->header};
  return 0;
}

static int is_ours(const TVMFFIByteArray* input) { return input && input->data && input->size > 7 && input->size < 1ull << 32; }

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return out && is_ours(input) ? make_text(input, kTVMFFIStr, out) : real.TVMFFIStringFromByteArray(input, out);
}

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return out && is_ours(input) ? make_text(input, kTVMFFIBytes, out) : real.TVMFFIBytesFromByteArray(input, out);
}

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  if (view && out && view->type_index == kTVMFFIRawStr && view->v_c_str) {
    const TVMFFIByteArray bytes = {view->v_c_str, strlen(view->v_c_str)};
    if (is_ours(&bytes)) return make_text(&bytes, kTVMFFIStr, out);
  }
  if (view && out && view->type_index == kTVMFFIByteArrayPtr && is_ours(view->v_ptr)) return make_text(view->v_ptr, kTVMFFIBytes, out);
  return real.TVMFFIAnyViewToOwnedAny(view, out);
}
