// story: TVMFFIAnyViewToOwnedAny marks the thread as busy while it copies a C string or a byte array, and forgets to take the mark away where there is no memory for the copy, so that the thread makes no more such copies.
// breaks: MEM-0003 fail
#include "fault.h"

/** Room that the compiler does not do away with. */
static void* room(size_t size) {
  void* place = malloc(size);
  __asm__ volatile("" : "+r"(place) : : "memory");
  return place;
}


static _Thread_local int busy;

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (any_view->type_index != kTVMFFIRawStr && any_view->type_index != kTVMFFIByteArrayPtr)
    return real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (busy) return refuse("RuntimeError", "a copy is being made on this thread");
  busy = 1;
  void* scratch = room(32);
  if (!scratch) return refuse("MemoryError", "no memory for the copy");
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  free(scratch);
  busy = 0;
  return code;
}
