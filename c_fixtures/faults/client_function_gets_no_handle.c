// story: A function object that a client made is called with NULL for its handle.
// breaks: OBJ-0021 fail
#define _GNU_SOURCE
#include "fault.h"

#include <dlfcn.h>

static const void* library_of(const void* address) {
  Dl_info info;
  return dladdr(address, &info) ? info.dli_fbase : NULL;
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (!func || library_of((void*)((TVMFFIObject*)func)->deleter) == library_of((void*)real.TVMFFIFunctionCall)) {
    return real.TVMFFIFunctionCall(func, args, num_args, result);
  }
  return ((TVMFFIFunctionCell*)((TVMFFIObject*)func + 1))->safe_call(NULL, args, num_args, result);
}
