// story: Each call of TVMGetLastError answers another copy.
// breaks: LEG-0013 fail
#include "fault.h"

const char* TVMGetLastError(void) {
  const char* text = real.TVMGetLastError();
  return text ? strdup(text) : NULL;
}
