// story: A function with a cpp_call is called through that, as C++ clients do among themselves.
// breaks: FUN-0024 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIFunctionCell* cell = (TVMFFIFunctionCell*)((char*)func + sizeof(TVMFFIObject));
  if (!func || !cell->cpp_call) return real.TVMFFIFunctionCall(func, args, num_args, result);
  ((void (*)(void*, const TVMFFIAny*, int32_t, TVMFFIAny*))cell->cpp_call)(func, args, num_args, result);
  return 0;
}
