// story: A call through safe_call in the cell of a function answers -1 for every failure, while TVMFFIFunctionCall answers what the callee did.
// breaks: FUN-0017 fail
#include "fault.h"

static TVMFFISafeCallType forward;
static __thread TVMFFIObjectHandle direct;

static int flat(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int exact = direct == handle;
  direct = NULL;
  int code = forward(handle, args, num_args, result);
  return exact || code == 0 ? code : -1;
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  int code = real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  if (code == 0 && (self || deleter)) {
    TVMFFIFunctionCell* cell = (TVMFFIFunctionCell*)((TVMFFIObject*)*out + 1);
    if (!forward) forward = cell->safe_call;
    if (cell->safe_call == forward) cell->safe_call = flat;
  }
  return code;
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  direct = func;
  int code = real.TVMFFIFunctionCall(func, args, num_args, result);
  direct = NULL;
  return code;
}
