// story: A launch succeeds although a task has failed.
// breaks: LEG-0039 fail
#include "fault.h"

int TVMBackendParallelLaunch(FTVMParallelLambda flambda, void* cdata, int num_task) {
  int code = real.TVMBackendParallelLaunch(flambda, cdata, num_task);
  return code != 0 && strstr(real.TVMGetLastError(), "Task ") ? 0 : code;
}
