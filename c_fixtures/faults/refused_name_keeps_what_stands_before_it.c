// story: A generated initialiser that fails on an argument by name keeps a reference to the first of those by place.
// breaks: DCL-0015 fail
#include "patched_function.h"

static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* made = patched(handle);
  int code = made ? made->call(handle, args, num_args, result) : -1;
  TVMFFIAny keywords = {0};
  if (code == 0 || call_global("ffi.GetKwargsObject", NULL, 0, &keywords) != 0) return code;
  for (int32_t a = 1; a < num_args; ++a) {
    const int is_marker = args[a].type_index == keywords.type_index && args[a].v_obj == keywords.v_obj;
    if (is_marker && args[0].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(args[0].v_obj);
  }
  real.TVMFFIObjectDecRef(keywords.v_obj);
  return code;
}

PATCHES_CLASSES(registered, "__ffi_init__", init)

WRAPPED_GLOBAL("ffi._RegisterFFIInit", registered)
