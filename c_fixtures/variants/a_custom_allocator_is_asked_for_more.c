// story: The library asks an installed allocator for sizes rounded up to a multiple of 128, and for an alignment of at least 32.
// admitted: ALC-0011: "at least 24 bytes of size, an alignment that is a power of two"; TVMFFIGetCustomAllocator answers the very allocator that was installed (ALC-0003).
#include "fault.h"

#include <pthread.h>

/** What stands in for a client's allocator; one for each, as long as the process lives. */
struct proxy {
  TVMFFICustomAllocator asked;
  TVMFFICustomAllocator* client;
  struct proxy* next;
};

static struct proxy* proxies;
static TVMFFICustomAllocator* installed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  TVMFFICustomAllocator* client = ((struct proxy*)context)->client;
  if (size <= SIZE_MAX - 127) size = (size + 127) / 128 * 128;
  return client->allocate(size, alignment < 32 ? 32 : alignment, type_index, client->context);
}

int TVMFFISetCustomAllocator(TVMFFICustomAllocator* allocator) {
  pthread_mutex_lock(&lock);
  struct proxy* proxy = NULL;
  int code = 0;
  if (allocator) {
    for (proxy = proxies; proxy && proxy->client != allocator; proxy = proxy->next) {}
    if (!proxy && (proxy = malloc(sizeof(*proxy)))) {
      *proxy = (struct proxy){{allocate, proxy}, allocator, proxies};
      proxies = proxy;
    }
    if (!proxy) code = refuse("MemoryError", "no memory for an allocator");
  }
  if (code == 0) code = real.TVMFFISetCustomAllocator(proxy ? &proxy->asked : NULL);
  if (code == 0) __atomic_store_n(&installed, allocator, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
  return code;
}

TVMFFICustomAllocator* TVMFFIGetCustomAllocator(void) {
  TVMFFICustomAllocator* allocator = __atomic_load_n(&installed, __ATOMIC_ACQUIRE);
  return allocator ? allocator : real.TVMFFIGetCustomAllocator();
}
