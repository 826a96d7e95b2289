// story: TVMFFIHandleDeinitOnce empties the handle only after the deinitialiser, so while that runs the handle still leads to what is going away.
// breaks: ONC-0012 fail
#include "fault.h"

struct running { void** handle; int (*deinit)(void* handle); };
static __thread struct running* running;

static int run(void* handle) {
  struct running* mine = running;
  *mine->handle = handle;
  int code = mine->deinit(handle);
  if (*mine->handle == handle) *mine->handle = NULL;
  return code;
}

int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  if (!handle_addr || !deinit_func) return real.TVMFFIHandleDeinitOnce(handle_addr, deinit_func);
  struct running mine = {handle_addr, deinit_func};
  struct running* outer = running;
  running = &mine;
  int code = real.TVMFFIHandleDeinitOnce(handle_addr, run);
  running = outer;
  return code;
}
