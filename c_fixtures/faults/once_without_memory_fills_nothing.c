// story: TVMFFIHandleInitOnce answers 0 and leaves the handle empty where it cannot make the node that others wait at.
// breaks: MEM-0001 fail
#include "fault.h"

struct waiters {
  void** handle;
  int num_threads;
};

int TVMFFIHandleInitOnce(void** handle_addr, int (*init_func)(void** result)) {
  if (__atomic_load_n(handle_addr, __ATOMIC_ACQUIRE)) return 0;
  struct waiters* node = malloc(sizeof(struct waiters));
  if (!node) return 0;
  *node = (struct waiters){handle_addr, 1};
  __asm__ volatile("" : : "r"(node) : "memory");
  int code = real.TVMFFIHandleInitOnce(handle_addr, init_func);
  free(node);
  return code;
}
