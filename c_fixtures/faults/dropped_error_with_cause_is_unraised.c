// story: Giving up the caller's reference to the raised error, when only the thread is left to hold it and it has a cause, takes it for handled: nothing is raised any more.
// breaks: OBJ-0029 fail
#include "fault.h"

int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* head = obj;
  if (head && head->type_index == kTVMFFIError && ((TVMFFIErrorCell*)(head + 1))->cause_chain &&
      (uint32_t)__atomic_load_n(&head->combined_ref_count, __ATOMIC_ACQUIRE) == 2) {
    TVMFFIObjectHandle raised = NULL;
    real.TVMFFIErrorMoveFromRaised(&raised);
    if (raised) {
      if (raised != obj) real.TVMFFIErrorSetRaised(raised);
      real.TVMFFIObjectDecRef(raised);
    }
  }
  return real.TVMFFIObjectDecRef(obj);
}
