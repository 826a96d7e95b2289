// story: The raised error lies in a variable of the thread that nobody looks at when the thread ends.
// breaks: ERR-0021 leak
#include "fault.h"

static _Thread_local TVMFFIObjectHandle raised;

static void keep(TVMFFIObjectHandle error) {
  TVMFFIObjectHandle before = raised;
  raised = error;
  if (before) real.TVMFFIObjectDecRef(before);
}

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  if (error) real.TVMFFIObjectIncRef(error);
  real.TVMFFIErrorSetRaised(NULL);
  keep(error);
}

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  /* The texts may be those of the error that is let go of. */
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
  keep(NULL);
}

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** message_parts, int32_t num_parts) {
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, message_parts, num_parts);
  keep(NULL);
}

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  /* What the library has raised itself is newer. */
  real.TVMFFIErrorMoveFromRaised(result);
  if (*result) {
    keep(NULL);
  } else {
    *result = raised;
    raised = NULL;
  }
}
