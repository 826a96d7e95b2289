// story: TVMFFIErrorSetRaisedFromCStr gives the raised error up before it reads the kind and the message of the next, which that may hold.
// breaks: ERR-0010 fail
// chance: Freed memory is read where the library has made the error.
#include "fault.h"

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  real.TVMFFIErrorSetRaised(NULL);
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
}
