// story: The deleter of an Error gives the cause up when it ends object and memory at once, and forgets it when a weak reference is held.
// breaks: ERR-0025 fail
// breaks: OBJ-0014 fail
#include "ended_error.h"

static void end_error(void* self, int flags) {
  if (flags == 1) error_cell(self)->cause_chain = NULL;
  own_end(self, flags);
}
