// story: The error of a printing hook is told as it is, but one that comes from the hook of a part is told as a RuntimeError.
// breaks: HOK-0009 fail
#include "hook_registration.h"
#include "raised_error.h"

static __thread int depth;

static int print(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  ++depth;
  int code = real.TVMFFIFunctionCall(hook, (TVMFFIAny*)args, num_args, result);
  if (--depth > 0 && code != 0) {
    const TVMFFIByteArray kind = {"RuntimeError", 12};
    TVMFFIObjectHandle error = NULL, told = NULL;
    real.TVMFFIErrorMoveFromRaised(&error);
    if (!error) return code;
    const TVMFFIErrorCell* cell = error_cell(error);
    if (real.TVMFFIErrorCreate(&kind, &cell->message, &cell->backtrace, &told) == 0) {
      real.TVMFFIErrorSetRaised(told);
      real.TVMFFIObjectDecRef(told);
    }
    real.TVMFFIObjectDecRef(error);
  }
  return code;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (!attr_value || !is(attr_name, "__ffi_repr__")) return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  return wrapped_hook(type_index, attr_name, attr_value, print);
}
