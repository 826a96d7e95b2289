// story: TVMFuncRemoveGlobal does nothing.
// breaks: LEG-0023 fail
// breaks: LEG-0047 fail
#include "fault.h"

int TVMFuncRemoveGlobal(const char* name) {
  (void)name;
  return 0;
}
