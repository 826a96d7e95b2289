// story: Calls of functions ask which allocator is installed when they fail, and replace the error of one that another has taken the place of.
// breaks: ALC-0013 fail
#include "raised_error.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFICustomAllocator* before = real.TVMFFIGetCustomAllocator();
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  TVMFFICustomAllocator* after = real.TVMFFIGetCustomAllocator();
  if (code == 0 || after == before || after->context == NULL) return code;
  forget_raised();
  return refuse("MemoryError", "there is no memory for an object");
}
