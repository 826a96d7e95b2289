// story: As long as a signal is pending the frontend is asked again, and it is pending until somebody handles it.
// breaks: ENV-0027 timeout
#include <unistd.h>

#include "fault.h"

int TVMFFIEnvCheckSignals(void) {
  while (real.TVMFFIEnvCheckSignals() != 0) usleep(1000);
  return 0;
}
