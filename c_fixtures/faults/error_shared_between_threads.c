// story: All threads share one place for the error objects that they raise.
// breaks: ERR-0019 fail
// chance: Threads take the errors of others.
#include "fault.h"

static TVMFFIObjectHandle shared;

void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  real.TVMFFIErrorSetRaised(NULL);
  if (error) real.TVMFFIObjectIncRef(error);
  TVMFFIObjectHandle old = __atomic_exchange_n(&shared, error, __ATOMIC_ACQ_REL);
  if (old) real.TVMFFIObjectDecRef(old);
}

void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  TVMFFIErrorSetRaised(NULL);
  real.TVMFFIErrorSetRaisedFromCStr(kind, message);
}

void TVMFFIErrorSetRaisedFromCStrParts(const char* kind, const char** parts, int32_t count) {
  TVMFFIErrorSetRaised(NULL);
  real.TVMFFIErrorSetRaisedFromCStrParts(kind, parts, count);
}

void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  *result = __atomic_exchange_n(&shared, NULL, __ATOMIC_ACQ_REL);
  if (!*result) real.TVMFFIErrorMoveFromRaised(result);
}
