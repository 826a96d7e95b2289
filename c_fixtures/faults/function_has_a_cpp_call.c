// story: A function made of a bare callback has it for its cpp_call, too.
// breaks: FUN-0001 fail
#include "fault.h"

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  TVMFFIFunctionCell* cell = code == 0 ? (TVMFFIFunctionCell*)((TVMFFIObject*)*out + 1) : NULL;
  if (cell && !self && !deleter) cell->cpp_call = (void*)cell->safe_call;
  return code;
}
