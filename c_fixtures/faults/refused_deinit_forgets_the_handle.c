// story: TVMFFIHandleDeinitOnce takes the handle out, is then refused the memory for the call, and nobody ends what the handle held.
// breaks: MEM-0002 fail
#include "fault.h"

struct end {
  void** place;
  int (*run)(void*);
};

int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  if (!handle_addr || !deinit_func) return real.TVMFFIHandleDeinitOnce(handle_addr, deinit_func);
  struct end* e = malloc(sizeof(struct end));
  __asm__ volatile("" : "+r"(e));
  if (!e) {
    __atomic_store_n(handle_addr, NULL, __ATOMIC_RELEASE);
    return refuse("MemoryError", "no memory for the end of a handle");
  }
  *e = (struct end){handle_addr, deinit_func};
  const int code = real.TVMFFIHandleDeinitOnce(e->place, e->run);
  free(e);
  return code;
}
