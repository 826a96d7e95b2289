// story: A handle holds a marker, an address that leads nowhere, while its deinitialiser runs.
// breaks: ONC-0015 fail
#include "fault.h"

int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  void* marker = (void*)1;
  void* held = __atomic_load_n(handle_addr, __ATOMIC_ACQUIRE);
  do {
    if (!held || held == marker) return 0;
  } while (!__atomic_compare_exchange_n(handle_addr, &held, marker, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  int code = deinit_func(held);
  __atomic_store_n(handle_addr, NULL, __ATOMIC_RELEASE);
  return code;
}
