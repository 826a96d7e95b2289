// story: A launch runs its first task once more.
// breaks: LEG-0038 fail
#include "fault.h"

int TVMBackendParallelLaunch(FTVMParallelLambda flambda, void* cdata, int num_task) {
  int code = real.TVMBackendParallelLaunch(flambda, cdata, num_task);
  return code == 0 && num_task == 0 ? real.TVMBackendParallelLaunch(flambda, cdata, 1) : code;
}
