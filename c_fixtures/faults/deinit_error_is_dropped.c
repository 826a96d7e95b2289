// story: The error that a failing deinitialiser has raised is taken away: nobody handles errors at the end, it was thought.
// breaks: ONC-0011 fail
#include "fault.h"

int TVMFFIHandleDeinitOnce(void** handle_addr, int (*deinit_func)(void* handle)) {
  int code = real.TVMFFIHandleDeinitOnce(handle_addr, deinit_func);
  if (code != 0) real.TVMFFIErrorSetRaised(NULL);
  return code;
}
