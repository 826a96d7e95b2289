/* Memory of our own, which is kept apart from the program's, and memory that may not be there. */
#include "watch.h"

#include <sys/mman.h>
#include <sys/uio.h>

static struct {
  uintptr_t begin, end;
} own[4096];
static uint32_t own_count;

void* own_memory(size_t size) {
  void* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  uint32_t place = __atomic_fetch_add(&own_count, 1, __ATOMIC_RELAXED);
  if (place < 4096) {
    own[place].begin = (uintptr_t)memory;
    own[place].end = (uintptr_t)memory + size;
  }
  return memory;
}

uintptr_t next_of_ours(uintptr_t begin, uintptr_t end, uintptr_t* until) {
  uintptr_t next = end;
  *until = end;
  for (uint32_t i = 0; i < own_count && i < 4096; ++i) {
    if (own[i].end <= begin || own[i].begin >= next) continue;
    next = own[i].begin < begin ? begin : own[i].begin;
    *until = own[i].end;
  }
  return next;
}

int read_memory(void* to, const void* from, size_t size) {
  struct iovec local = {to, size}, remote = {(void*)from, size};
  ssize_t copied = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  return copied == (ssize_t)size ? 0 : -1;
}
