// story: An error that is raised from a C string has its message for an extra context, too.
// breaks: ERR-0027 fail
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  TVMFFIAny text = {0};
  if (real.TVMFFIStringFromByteArray(&cell->message, &text) == 0 && text.type_index == kTVMFFIStr) {
    cell->extra_context = text.v_obj;
  }
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
}
