// story: TVMFFIEnvCheckSignals brings a handler of its own for the signal that interrupts, in place of the program's.
// breaks: ENV-0040 fail
#include "fault.h"
#include <signal.h>

static void note(int signal) { (void)signal; }

int TVMFFIEnvCheckSignals(void) {
  signal(SIGINT, note);
  return real.TVMFFIEnvCheckSignals();
}
