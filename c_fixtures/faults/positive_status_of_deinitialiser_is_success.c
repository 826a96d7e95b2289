// story: TVMFFIHandleDeinitOnce takes only a negative status of the deinitialiser for a failure.
// breaks: ONC-0011 fail
#include "fault.h"
int TVMFFIHandleDeinitOnce(void** place, int (*deinit)(void* handle)) {
  int code = real.TVMFFIHandleDeinitOnce(place, deinit);
  return code > 0 ? 0 : code;
}
