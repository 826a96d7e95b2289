// story: A thread that has made a text or bytes keeps the allocator of that time for them: one that is installed later is not asked on it.
// breaks: ALC-0012 fail
#include "fault.h"

struct text { TVMFFIObject header; TVMFFIByteArray bytes; char content[]; };
static __thread int keeps_built_in;
static int custom;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  int code = real.TVMFFISetCustomAllocator(allocator);
  /* The thread that installs one knows of it. */
  keeps_built_in = 0;
  __atomic_store_n(&custom, allocator != NULL, __ATOMIC_RELEASE);
  return code;
}

static void end(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(self);
}

static int make(int32_t type_index, const TVMFFIByteArray* input, TVMFFIAny* out) {
  struct text* text = malloc(sizeof(*text) + input->size + 1);
  if (!text) return refuse("MemoryError", "no memory");
  text->header = (TVMFFIObject){.combined_ref_count = 0x100000001, .type_index = type_index, .deleter = end};
  text->bytes = (TVMFFIByteArray){text->content, input->size};
  memcpy(text->content, input->data, input->size);
  text->content[input->size] = 0;
  *out = (TVMFFIAny){.type_index = type_index, .v_obj = &text->header};
  return 0;
}

static int from_cache(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!__atomic_load_n(&custom, __ATOMIC_ACQUIRE)) keeps_built_in = 1;
  return keeps_built_in && __atomic_load_n(&custom, __ATOMIC_ACQUIRE) && input && out && input->data && input->size > 7 && input->size < 1 << 20;
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return from_cache(input, out) ? make(kTVMFFIStr, input, out) : real.TVMFFIStringFromByteArray(input, out);
}

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return from_cache(input, out) ? make(kTVMFFIBytes, input, out) : real.TVMFFIBytesFromByteArray(input, out);
}
