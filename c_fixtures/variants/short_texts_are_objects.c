// story: Strings and Bytes of any length that the library makes of C strings and byte arrays are objects, the empty ones too; none is stored inline.
// admitted: STR-0001 and STR-0002: "or is an object as a longer one is"; ANY-0012 and ANY-0014 take either type index; a small string that is given as a view stays what it is (ANY-0009).
#include "fault.h"

struct text {
  TVMFFIObject header;
  TVMFFIByteArray bytes;
  char content[];
};

static void end_text(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ((TVMFFIObjectAllocHeader*)self)[-1].delete_space(self);
}

static int make_text(const char* data, size_t size, int32_t type_index, TVMFFIAny* out) {
  TVMFFICustomAllocator* allocator = real.TVMFFIGetCustomAllocator();
  struct text* text = allocator->allocate(sizeof(struct text) + size + 1, 16, type_index, allocator->context);
  if (!text) return -1;
  memset(&text->header, 0, sizeof(text->header));
  text->header.combined_ref_count = 1ull << 32 | 1;
  text->header.type_index = type_index;
  text->header.deleter = end_text;
  text->bytes = (TVMFFIByteArray){text->content, size};
  if (size) memcpy(text->content, data, size);
  text->content[size] = 0;
  *out = (TVMFFIAny){.type_index = type_index, .v_obj = &text->header};
  return 0;
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !out || input->size > 7 || (input->size && !input->data)) return real.TVMFFIStringFromByteArray(input, out);
  return make_text(input->data, input->size, kTVMFFIStr, out);
}

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !out || input->size > 7 || (input->size && !input->data)) return real.TVMFFIBytesFromByteArray(input, out);
  return make_text(input->data, input->size, kTVMFFIBytes, out);
}

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* view, TVMFFIAny* out) {
  if (view && out && view->type_index == kTVMFFIRawStr && view->v_c_str && strlen(view->v_c_str) <= 7) {
    return make_text(view->v_c_str, strlen(view->v_c_str), kTVMFFIStr, out);
  }
  if (view && out && view->type_index == kTVMFFIByteArrayPtr && view->v_ptr) {
    const TVMFFIByteArray bytes = *(const TVMFFIByteArray*)view->v_ptr;
    if (bytes.size <= 7 && (bytes.data || !bytes.size)) return make_text(bytes.data, bytes.size, kTVMFFIBytes, out);
  }
  return real.TVMFFIAnyViewToOwnedAny(view, out);
}
