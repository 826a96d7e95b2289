// story: TVMFFIEnvCheckSignals guards itself against being entered again: asked from within the frontend's own function, where a handler runs, it answers 0 although a signal is pending.
// breaks: ENV-0027 fail
#include "fault.h"

int TVMFFIEnvCheckSignals(void) {
  static __thread int inside;
  if (inside) return 0;
  inside = 1;
  int code = real.TVMFFIEnvCheckSignals();
  inside = 0;
  return code;
}
