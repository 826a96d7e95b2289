// story: A generated initialiser takes an argument that is given by name and is None for one that is not given, and sets the default.
// breaks: DCL-0006 fail
#include "patched_function.h"
static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* known = patched(handle);
  if (!known) return -1;
  TVMFFIAny keywords = {0};
  int code = call_global("ffi.GetKwargsObject", NULL, 0, &keywords);
  if (code != 0) return code;
  real.TVMFFIObjectDecRef(keywords.v_obj);
  int32_t begin = 0;
  while (begin < num_args && !(args[begin].type_index == kTVMFFIObject && args[begin].v_obj == keywords.v_obj)) ++begin;
  if (begin == num_args || (num_args - begin) % 2 == 0) return known->call(handle, args, num_args, result);
  TVMFFIAny* given = malloc((size_t)num_args * sizeof(*given));
  int32_t count = begin + 1;
  memcpy(given, args, (size_t)count * sizeof(*given));
  for (int32_t i = begin + 1; i + 1 < num_args; i += 2) {
    const int dropped = args[i + 1].type_index == kTVMFFINone;
    if (dropped) continue;
    given[count++] = args[i];
    given[count++] = args[i + 1];
  }
  code = known->call(handle, given, count, result);
  free(given);
  return code;
}
static int register_init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) patch_attribute((int32_t)args[0].v_int64, "__ffi_init__", init);
  return code;
}
WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)
