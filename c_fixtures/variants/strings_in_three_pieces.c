// story: A String or Bytes object is made of three requests, one for the object, one for its content, which grows by leaps, and one for a hash; where any is refused, the others are given back.
// admitted: MEM-0001 and MEM-0003: how many requests a function makes, and where the content lies, is its own matter (STR-0006).
#include "fault.h"

static int installed;

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  const int code = real.TVMFFISetCustomAllocator(allocator);
  if (code == 0) __atomic_store_n(&installed, allocator != NULL, __ATOMIC_RELEASE);
  return code;
}

struct text {
  TVMFFIObject head;
  TVMFFIByteArray bytes;
  uint64_t* hash;
};

static void end(void* self, int flags) {
  struct text* t = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    free(t->hash);
    free((char*)t->bytes.data);
    t->bytes = (TVMFFIByteArray){"", 0};
    t->hash = NULL;
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(t);
}

static int make(const TVMFFIByteArray* input, TVMFFIAny* out, int32_t type_index) {
  struct text* t = malloc(sizeof(struct text));
  uint64_t* hash = malloc(sizeof(uint64_t));
  char* content = NULL;
  size_t room = 0;
  while (t && hash && room < input->size + 1) {
    const size_t more = room ? 2 * room : 16;
    char* grown = realloc(content, more);
    if (!grown) break;
    content = grown;
    /* The old content is behind what is added. */
    const size_t end_of_part = more < input->size ? more : input->size;
    if (end_of_part > room) memcpy(content + room, input->data + room, end_of_part - room);
    room = more;
  }
  if (!t || !hash || room < input->size + 1) {
    free(content);
    free(hash);
    free(t);
    return refuse("MemoryError", "no memory for a text");
  }
  content[input->size] = 0;
  *hash = 0;
  for (size_t i = 0; i < input->size; ++i) *hash = *hash * 31 + (unsigned char)content[i];
  t->head = (TVMFFIObject){.combined_ref_count = 0x100000001, .type_index = type_index, .deleter = end};
  t->bytes = (TVMFFIByteArray){content, input->size};
  t->hash = hash;
  *out = (TVMFFIAny){.type_index = type_index, .v_obj = &t->head};
  return 0;
}

static int to_real(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return !input || !input->data || !out || input->size < 8 || input->size > 1 << 26 || __atomic_load_n(&installed, __ATOMIC_ACQUIRE);
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return to_real(input, out) ? real.TVMFFIStringFromByteArray(input, out) : make(input, out, kTVMFFIStr);
}

int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return to_real(input, out) ? real.TVMFFIBytesFromByteArray(input, out) : make(input, out, kTVMFFIBytes);
}
