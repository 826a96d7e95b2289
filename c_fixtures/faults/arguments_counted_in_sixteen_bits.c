// story: A call refuses more arguments than a signed number of sixteen bits can count.
// breaks: FUN-0009 fail
#include "fault.h"
int TVMFFIFunctionCall(TVMFFIObjectHandle f, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args > INT16_MAX) return refuse("ValueError", "Too many arguments");
  return real.TVMFFIFunctionCall(f, args, num_args, result);
}
