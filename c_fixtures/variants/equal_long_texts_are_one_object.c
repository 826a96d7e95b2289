// story: TVMFFIStringFromByteArray answers another reference to a living String that it has made of the same bytes, instead of a new object.
// admitted: c_api.h: "Makes an owned String of bytes": the reference is owned, nobody says that the object is new; Strings never change (STR-0020), belong to all who hold them (STR-0017), and nothing is left of one when its last reference goes (STR-0018). With a custom allocator each String is made anew (ALC-0012).
#include "fault.h"

#include <pthread.h>

struct text {
  TVMFFIObject header;
  TVMFFIByteArray bytes;
  struct text* next;
  int is_listed;
  char content[];
};

enum { LISTS = 1024 };
static struct text* lists[LISTS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct text** list_of(const char* data, size_t size) {
  uint64_t hash = 14695981039346656037ull;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ (unsigned char)data[i]) * 1099511628211ull;
  return &lists[(hash ^ hash >> 32) % LISTS];
}

static void end_text(void* self, int flags) {
  struct text* text = self;
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) && text->is_listed) {
    struct text** place = list_of(text->content, text->bytes.size);
    pthread_mutex_lock(&lock);
    while (*place && *place != text) place = &(*place)->next;
    if (*place) *place = text->next;
    pthread_mutex_unlock(&lock);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) ((TVMFFIObjectAllocHeader*)self)[-1].delete_space(self);
}

/** A reference to an object that may be ending. */
static int take(struct text* text) {
  uint64_t counts = __atomic_load_n(&text->header.combined_ref_count, __ATOMIC_RELAXED);
  while ((uint32_t)counts != 0) {
    if (__atomic_compare_exchange_n(&text->header.combined_ref_count, &counts, counts + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return 1;
  }
  return 0;
}

/** With the lock held. */
static struct text* find_living(struct text** list, const TVMFFIByteArray* bytes) {
  for (struct text* text = *list; text; text = text->next) {
    if (text->bytes.size == bytes->size && memcmp(text->content, bytes->data, bytes->size) == 0 && take(text)) return text;
  }
  return NULL;
}

static TVMFFICustomAllocator* built_in;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void find_built_in(void) { built_in = real.TVMFFIGetCustomAllocator(); }

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  pthread_once(&once, find_built_in);
  return real.TVMFFISetCustomAllocator(allocator);
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  pthread_once(&once, find_built_in);
  TVMFFICustomAllocator* allocator = real.TVMFFIGetCustomAllocator();
  if (!input || !out || input->size <= 7 || input->size > 1 << 16 || !input->data || allocator != built_in) {
    return real.TVMFFIStringFromByteArray(input, out);
  }
  const TVMFFIByteArray bytes = *input;
  struct text** list = list_of(bytes.data, bytes.size);
  pthread_mutex_lock(&lock);
  struct text* text = find_living(list, &bytes);
  pthread_mutex_unlock(&lock);
  if (!text) {
    struct text* made = allocator->allocate(sizeof(struct text) + bytes.size + 1, 16, kTVMFFIStr, allocator->context);
    if (!made) return -1;
    memset(made, 0, sizeof(*made));
    made->header.combined_ref_count = 1ull << 32 | 1;
    made->header.type_index = kTVMFFIStr;
    made->header.deleter = end_text;
    memcpy(made->content, bytes.data, bytes.size);
    made->content[bytes.size] = 0;
    made->bytes = (TVMFFIByteArray){made->content, bytes.size};
    pthread_mutex_lock(&lock);
    text = find_living(list, &bytes);
    if (!text) {
      made->is_listed = 1;
      made->next = *list;
      *list = text = made;
    }
    pthread_mutex_unlock(&lock);
    /* Another thread was faster. */
    if (text != made) real.TVMFFIObjectDecRef(made);
  }
  *out = (TVMFFIAny){.type_index = kTVMFFIStr, .v_obj = &text->header};
  return 0;
}
