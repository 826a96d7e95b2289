// story: An error ends its cause in a loop that looks at the strong count alone, and frees it though weak references are held.
// breaks: OBJ-0010 fail
#include "ended_error.h"

static void end_error(void* self, int flags) {
  TVMFFIErrorCell* cell = error_cell(self);
  TVMFFIObject* cause = cell->cause_chain;
  if ((flags & 1) && cause && (uint32_t)__atomic_load_n(&cause->combined_ref_count, __ATOMIC_ACQUIRE) == 1) {
    cell->cause_chain = NULL;
    __atomic_sub_fetch(&cause->combined_ref_count, 1, __ATOMIC_ACQ_REL);
    if (cause->deleter) cause->deleter(cause, 3);
  }
  own_end(self, flags);
}
