// story: A call passes on no more than 512 arguments.
// breaks: FUN-0009 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle function, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return real.TVMFFIFunctionCall(function, args, num_args < 512 ? num_args : 512, result);
}
