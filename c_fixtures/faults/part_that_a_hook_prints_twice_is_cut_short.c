// story: While a function in __ffi_repr__ runs, the container that it had printed last counts as open, and is `...` when it prints that again.
// breaks: REC-0028 fail
#include "hook_registration.h"

struct printing { void* print; TVMFFIObject* last; };

static void end_printing(void* self) {
  struct printing* printing = self;
  real.TVMFFIObjectDecRef(printing->print);
  if (printing->last) real.TVMFFIObjectDecRef(printing->last);
  free(printing);
}

static int print_part(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct printing* printing = self;
  const int is_open = num_args == 1 && (args[0].type_index == kTVMFFIList || args[0].type_index == kTVMFFIDict);
  if (is_open && args[0].v_obj == printing->last) {
    *result = (TVMFFIAny){.type_index = kTVMFFISmallStr, .small_str_len = 3};
    memcpy(result->v_bytes, "...", 3);
    return 0;
  }
  int code = call_original(printing->print, args, num_args, result);
  if (code == 0 && is_open) {
    if (printing->last) real.TVMFFIObjectDecRef(printing->last);
    printing->last = args[0].v_obj;
    real.TVMFFIObjectIncRef(printing->last);
  }
  return code;
}

static int call_hook(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIFunction) return call_original(hook, args, num_args, result);
  struct printing* printing = calloc(1, sizeof(*printing));
  TVMFFIObjectHandle print = NULL;
  printing->print = args[1].v_obj;
  real.TVMFFIObjectIncRef(printing->print);
  if (real.TVMFFIFunctionCreate(printing, print_part, end_printing, &print) != 0) return end_printing(printing), -1;
  TVMFFIAny given[2] = {args[0], {.type_index = kTVMFFIFunction, .v_obj = print}};
  int code = call_original(hook, given, 2, result);
  real.TVMFFIObjectDecRef(print);
  return code;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (!is(attr_name, "__ffi_repr__") || !attr_value) return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  return wrapped_hook(type_index, attr_name, attr_value, call_hook);
}
