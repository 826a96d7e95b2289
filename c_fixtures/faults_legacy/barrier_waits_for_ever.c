// story: The barrier waits for a task that has ended.
// breaks: LEG-0049 timeout
#include "fault.h"

#include <unistd.h>

int TVMBackendParallelBarrier(int task_id, TVMParallelGroupEnv* penv) {
  int code = real.TVMBackendParallelBarrier(task_id, penv);
  while (code != 0) pause();
  return code;
}
