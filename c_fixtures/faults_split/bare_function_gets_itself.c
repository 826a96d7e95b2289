// story: A callback without closure and deleter is handed the function object, as later libraries do.
// breaks: SPL-0026 fail
#include "split_fault.h"

static TVMFFISafeCallType callback;
static TVMFFIObjectHandle function;

static int call(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self;
  return callback(function, args, num_args, result);
}

static void nothing(void* self) { (void)self; }

int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void*), TVMFFIObjectHandle* out) {
  if (self || deleter) return real.TVMFFIFunctionCreate(self, safe_call, deleter, out);
  callback = safe_call;
  int code = real.TVMFFIFunctionCreate(NULL, call, nothing, out);
  function = *out;
  return code;
}
