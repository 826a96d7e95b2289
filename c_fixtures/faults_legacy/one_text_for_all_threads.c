// story: All threads have one error text.
// breaks: LEG-0009 fail
#include "fault.h"

static char* text;

void TVMAPISetLastError(const char* msg) {
  real.TVMAPISetLastError(msg);
  text = strdup(msg);
}

const char* TVMGetLastError(void) {
  const char* own = real.TVMGetLastError();
  return own && (!text || strstr(own, ":")) ? own : text;
}
