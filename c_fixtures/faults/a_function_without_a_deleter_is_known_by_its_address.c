// story: TVMFFIFunctionCall keeps the safe_call of the last function object without a deleter, which it takes to live for ever: another such object that the client makes in the same memory is called by the former's.
// breaks: FUN-0024 fail
#include "fault.h"

static _Thread_local TVMFFIObject* last;
static _Thread_local TVMFFISafeCallType last_call;

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObject* object = func;
  if (!object || object->type_index != kTVMFFIFunction || object->deleter) {
    return real.TVMFFIFunctionCall(func, args, num_args, result);
  }
  if (object != last) {
    last = object;
    last_call = ((TVMFFIFunctionCell*)(object + 1))->safe_call;
  }
  return last_call(func, args, num_args, result);
}
