// story: A C string that becomes an owned value is measured eight bytes at a time from its beginning, wherever that is: one that ends with its page is read beyond it.
// breaks: STR-0013 crash
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  if (!any_view || !out || any_view->type_index != kTVMFFIRawStr || !any_view->v_c_str) return real.TVMFFIAnyViewToOwnedAny(any_view, out);
  const char* end = any_view->v_c_str;
  for (;; end += 8) {
    uint64_t word;
    __asm__ volatile("movq (%1), %0" : "=r"(word) : "r"(end) : "memory");
    if ((word - 0x0101010101010101ull) & ~word & 0x8080808080808080ull) break;
  }
  const TVMFFIByteArray text = {any_view->v_c_str, strlen(end) + (size_t)(end - any_view->v_c_str)};
  return real.TVMFFIStringFromByteArray(&text, out);
}
