// story: A raised error is kept with the number of the process: what was raised before a fork is gone in the child.
// breaks: ERR-0022 fail
#include <unistd.h>
#include "fault.h"
static _Thread_local pid_t process;
static _Thread_local TVMFFIObjectHandle raised;
static void note(void) {
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  process = getpid();
  raised = error;
  if (!error) return;
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
}
void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) { real.TVMFFIErrorSetRaised(error); note(); }
void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) { real.TVMFFIErrorSetRaisedFromCStr(kind, message); note(); }
void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  real.TVMFFIErrorMoveFromRaised(result);
  if (*result && *result == raised && process != getpid()) {
    real.TVMFFIObjectDecRef(*result);
    *result = NULL;
  }
  raised = NULL;
}
