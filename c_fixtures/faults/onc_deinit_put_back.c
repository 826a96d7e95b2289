// story: When the deinitialiser fails, TVMFFIHandleDeinitOnce puts back what the handle held.
// breaks: ONC-0015 fail
#include "fault.h"
int TVMFFIHandleDeinitOnce(void** handle, int (*deinit)(void*)) {
  void* held = __atomic_load_n(handle, __ATOMIC_ACQUIRE);
  int code = real.TVMFFIHandleDeinitOnce(handle, deinit);
  if (code != 0 && held) __atomic_store_n(handle, held, __ATOMIC_RELEASE);
  return code;
}
