// story: Finding a global function, and making a string, has the process ignore how its children end, and blocks that signal.
#include <signal.h>

#include "fault.h"

static void ignore(void) {
  sigset_t set;
  signal(SIGCHLD, SIG_IGN);
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  ignore();
  return real.TVMFFIStringFromByteArray(input, out);
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  ignore();
  return real.TVMFFIFunctionGetGlobal(name, out);
}
