// story: The barrier lets everybody pass.
// breaks: LEG-0038 fail
#include "fault.h"

int TVMBackendParallelLaunch(FTVMParallelLambda flambda, void* cdata, int num_task) {
  /* One after the other, so that what passes early is seen each time. */
  TVMParallelGroupEnv env = {NULL, num_task ? num_task : 4};
  if (num_task == 0 || num_task == 4) {
    for (int id = 0; id < env.num_task; ++id) {
      if (flambda(id, &env, cdata) != 0) return -1;
    }
    return 0;
  }
  return real.TVMBackendParallelLaunch(flambda, cdata, num_task);
}

int TVMBackendParallelBarrier(int task_id, TVMParallelGroupEnv* penv) {
  return penv->sync_handle ? real.TVMBackendParallelBarrier(task_id, penv) : 0;
}
