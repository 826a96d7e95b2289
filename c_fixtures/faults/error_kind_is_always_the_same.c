// story: An error that is raised from a C string is a RuntimeError, whatever its kind.
// breaks: ERR-0010 fail
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  real.TVMFFIErrorSetRaisedFromCStr(kind ? "RuntimeError" : NULL, message);
}
