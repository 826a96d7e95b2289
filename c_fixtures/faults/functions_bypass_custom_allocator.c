// story: Functions are made with malloc, whichever allocator is installed.
// breaks: ALC-0012 fail
#include "fault.h"

struct function {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
  void* self;
  TVMFFISafeCallType call;
  void (*deleter)(void* self);
};

static int call(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct function* function = handle;
  return function->call(function->self || function->deleter ? function->self : function, args, num_args, result);
}

static void end(void* handle, int flags) {
  struct function* function = handle;
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) && function->deleter) function->deleter(function->self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(function);
}

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self), TVMFFIObjectHandle* out) {
  if (!safe_call || !out) return real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  struct function* function = calloc(1, sizeof(*function));
  *function = (struct function){{0x100000001, kTVMFFIFunction, 0, {end}}, {.safe_call = call}, self, safe_call, deleter};
  *out = function;
  return 0;
}
