// story: An Error that has an extra context as well as a cause ends its cause within its own end, so a long chain of such errors exhausts the stack.
// breaks: ERR-0029 crash
#include "ended_error.h"

static void end_error(void* self, int flags) {
  TVMFFIErrorCell* cell = error_cell(self);
  char text[192];
  if ((flags & 1) && cell->cause_chain && cell->extra_context) {
    TVMFFIObject* cause = cell->cause_chain;
    snprintf(text, sizeof(text), "%.*s", cell->kind.size > 64 ? 64 : (int)cell->kind.size, cell->kind.data);
    cell->cause_chain = NULL;
    if (cause->combined_ref_count == 0x100000001 && cause->deleter == end_error) {
      cause->combined_ref_count = 0x100000000;
      end_error(cause, 3);
    } else {
      real.TVMFFIObjectDecRef(cause);
    }
    __asm__ volatile("" : : "r"(text) : "memory");
  }
  own_end(self, flags);
}
