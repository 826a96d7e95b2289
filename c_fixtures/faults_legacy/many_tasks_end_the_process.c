// story: A launch of more tasks than 32 ends the process.
// breaks: LEG-0048 crash
#include "fault.h"

int TVMBackendParallelLaunch(FTVMParallelLambda flambda, void* cdata, int num_task) {
  if (num_task > 32) abort();
  return real.TVMBackendParallelLaunch(flambda, cdata, num_task);
}
