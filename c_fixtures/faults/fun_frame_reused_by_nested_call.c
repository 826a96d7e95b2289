// story: A call with five to sixteen arguments passes them in a frame that the thread has once: a call of that kind within the callee changes the arguments of the outer one.
// breaks: FUN-0007 fail

#include "fault.h"

enum { kFew = 4, kFrame = 16 };

static _Thread_local TVMFFIAny frame[kFrame];

int TVMFFIFunctionCall(TVMFFIObjectHandle function, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args <= kFew || num_args > kFrame) return real.TVMFFIFunctionCall(function, args, num_args, result);
  /* The callee may not change what the caller has. */
  memmove(frame, args, (size_t)num_args * sizeof(*frame));
  return real.TVMFFIFunctionCall(function, frame, num_args, result);
}
