// story: A generated initialiser notes for its type that it is at work and refuses to be called meanwhile, though a default factory may make another instance.
// breaks: HOK-0021 fail
#include "patched_function.h"
static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  static __thread int32_t at_work;
  const struct patched* p = patched(handle);
  if (!p) return -1;
  const int32_t before = at_work;
  if (before == p->type_index) return refuse("RuntimeError", "the initialiser is at work already");
  at_work = p->type_index;
  int code = p->call(handle, args, num_args, result);
  at_work = before;
  return code;
}
static int register_init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && num_args == 1) patch_attribute((int32_t)args[0].v_int64, "__ffi_init__", init);
  return code;
}
WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)
