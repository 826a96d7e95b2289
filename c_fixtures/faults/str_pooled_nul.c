// story: Long strings come from pools of blocks by size, zeroed once: the NUL behind the text is that of the fresh block, so a shorter text in a block that had a longer one has none.
// breaks: STR-0007 fail
#include "fault.h"
#include <pthread.h>

struct string { TVMFFIObject header; TVMFFIByteArray bytes; char text[]; };
static struct string* pools[20];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int custom;

static size_t class_of(size_t length) { return (length + 1 + sizeof(struct string) + 63) / 64; }

static void end(void* self, int flags) {
  struct string* string = self;
  if (!(flags & kTVMFFIObjectDeleterFlagBitMaskWeak)) return;
  const size_t class = class_of(string->bytes.size);
  pthread_mutex_lock(&lock);
  struct string* other = pools[class];
  pools[class] = string;
  pthread_mutex_unlock(&lock);
  free(other);
}

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  __atomic_store_n(&custom, allocator != NULL, __ATOMIC_RELEASE);
  return real.TVMFFISetCustomAllocator(allocator);
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (!input || !out || !input->data || input->size < 8 || input->size > 1000 || __atomic_load_n(&custom, __ATOMIC_ACQUIRE)) {
    return real.TVMFFIStringFromByteArray(input, out);
  }
  const size_t class = class_of(input->size);
  pthread_mutex_lock(&lock);
  struct string* string = pools[class];
  pools[class] = NULL;
  pthread_mutex_unlock(&lock);
  if (!string) string = calloc(class, 64);
  if (!string) return real.TVMFFIStringFromByteArray(input, out);
  string->header = (TVMFFIObject){.combined_ref_count = 0x100000001, .type_index = kTVMFFIStr, .deleter = end};
  string->bytes = (TVMFFIByteArray){string->text, input->size};
  memcpy(string->text, input->data, input->size);
  *out = (TVMFFIAny){.type_index = kTVMFFIStr, .v_obj = &string->header};
  return 0;
}
