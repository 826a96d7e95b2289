// story: The names that a generated initialiser has seen stay in its table when it fails, so the next call with positional arguments gives them again.
// breaks: DCL-0010 fail
#include "patched_function.h"

static __thread const void* stale;

static int initialise(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* function = patched(handle);
  if (!function) return -1;
  TVMFFIAny sentinel = {0};
  call_global("ffi.GetKwargsObject", NULL, 0, &sentinel);
  int by_name = 0;
  for (int32_t i = 0; i < num_args; ++i) by_name |= args[i].v_obj == sentinel.v_obj && args[i].type_index == kTVMFFIObject;
  real.TVMFFIObjectDecRef(sentinel.v_obj);
  if (!by_name && num_args > 0 && stale == handle) {
    stale = NULL;
    return refuse("TypeError", "__ffi_init__() got multiple values for argument");
  }
  const int code = function->call(handle, args, num_args, result);
  stale = code != 0 && by_name ? handle : NULL;
  return code;
}

static int register_init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int code = call_original(original, args, num_args, result);
  if (code == 0) patch_attribute((int32_t)args[0].v_int64, "__ffi_init__", initialise);
  return code;
}

WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)

