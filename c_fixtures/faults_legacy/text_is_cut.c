// story: An error text has 1,023 bytes at most.
// breaks: LEG-0009 fail
#include "fault.h"

void TVMAPISetLastError(const char* msg) {
  char text[1024];
  snprintf(text, sizeof(text), "%s", msg);
  real.TVMAPISetLastError(text);
}
