// story: The kind of the last error of a thread is kept and known again by its address: another kind in the same buffer is raised as the former.
// breaks: ERR-0010 fail

#include "fault.h"

static _Thread_local const char* last;
static _Thread_local char kept[64];

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  if (kind && kind == last) {
    real.TVMFFIErrorSetRaisedFromCStr(kept, message);
    return;
  }
  last = NULL;
  if (kind && strlen(kind) < sizeof(kept)) {
    strcpy(kept, kind);
    last = kind;
  }
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
}
