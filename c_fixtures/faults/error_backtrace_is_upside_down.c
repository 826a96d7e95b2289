// story: The backtrace of an error that is raised from a C string begins with the outermost call.
// breaks: BTR-0008 fail
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return;
  TVMFFIErrorCell* cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  TVMFFIByteArray old = cell->backtrace;
  char* text = malloc(old.size + 1);
  size_t end = old.size, written = 0;
  for (size_t at = old.size; at-- > 0;) {
    if (at == 0 || old.data[at - 1] == '\n') {
      memcpy(text + written, old.data + at, end - at);
      written += end - at;
      end = at;
    }
  }
  TVMFFIByteArray turned = {text, written};
  cell->update_backtrace(error, &turned, kTVMFFIBacktraceUpdateModeReplace);
  free(text);
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
}
