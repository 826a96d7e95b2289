// story: TVMFFIAnyViewToOwnedAny takes the object out of the slot that it is moved from before it is refused memory; then nobody has it, and it never ends.
// breaks: MEM-0003 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (!any_view || !out || any_view->type_index != kTVMFFIObjectRValueRef || !any_view->v_ptr || !*(void**)any_view->v_ptr) {
    return real.TVMFFIAnyViewToOwnedAny(any_view, out);
  }
  TVMFFIObject** slot = any_view->v_ptr;
  TVMFFIObject* object = *slot;
  *slot = NULL;
  TVMFFIObject** moved = malloc(sizeof(TVMFFIObject*));
  __asm__ volatile("" : "+r"(moved));
  if (!moved) return refuse("MemoryError", "no memory for what is moved");
  *moved = object;
  const TVMFFIAny view = {.type_index = kTVMFFIObjectRValueRef, .v_ptr = moved};
  const int code = real.TVMFFIAnyViewToOwnedAny(&view, out);
  free(moved);
  return code;
}
