// story: A chain of causes is ended by recursion, a page of the stack for each.
// breaks: ERR-0029 crash
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* header = obj;
  volatile char page[4096];
  if (!obj || header->type_index != kTVMFFIError || header->combined_ref_count != ((uint64_t)1 << 32 | 1)) {
    return real.TVMFFIObjectDecRef(obj);
  }
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)(header + 1);
  static void (*foreign)(void*, int);
  TVMFFIObjectHandle cause = NULL;
  /* Only errors of the library are known to have a cause; the others are ended as they were. */
  if (cell->update_backtrace && header->deleter != foreign && cell->cause_chain) {
    cause = cell->cause_chain;
    cell->cause_chain = NULL;
  }
  int code = real.TVMFFIObjectDecRef(obj);
  page[0] = page[4095] = 0;
  if (cause) code = TVMFFIObjectDecRef(cause);
  return code + page[0] + page[4095];
}
