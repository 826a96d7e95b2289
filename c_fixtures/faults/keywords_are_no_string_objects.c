// story: A generated initialiser knows the names behind the keyword object only as C strings and small strings: a String object is an unknown name.
// breaks: DCL-0006 fail
#include "patched_function.h"

static int init(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* known = patched(self);
  if (!known) return -1;
  TVMFFIAny keywords = {0};
  if (call_global("ffi.GetKwargsObject", NULL, 0, &keywords) != 0) return -1;
  void* marker = keywords.v_obj;
  real.TVMFFIObjectDecRef(marker);
  int32_t i = 0;
  while (i < num_args && !(args[i].type_index == kTVMFFIObject && args[i].v_obj == marker)) ++i;
  for (++i; i < num_args; i += 2) {
    if (args[i].type_index == kTVMFFIStr) return refuse("TypeError", "__ffi_init__() got an unexpected keyword argument");
  }
  return known->call(self, args, num_args, result);
}

static int register_init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && num_args == 1) patch_attribute((int32_t)args[0].v_int64, "__ffi_init__", init);
  return code;
}

WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)
