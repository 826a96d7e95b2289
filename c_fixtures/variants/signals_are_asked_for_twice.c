// story: TVMFFIEnvCheckSignals asks the frontend a second time if it has answered 0 the first time.
// admitted: ENV-0027: it "asks the registered PyErr_CheckSignals, and answers 0 when that answers 0 and non-zero otherwise"; how often it asks is not said, and each time is between Ensure and Release (ENV-0028).
#include "fault.h"

int TVMFFIEnvCheckSignals(void) {
  int code = real.TVMFFIEnvCheckSignals();
  return code != 0 ? code : real.TVMFFIEnvCheckSignals();
}
