// story: A path that is extended gets deeper itself.
// breaks: PTH-0003 fail
#include "changed_record.h"
#include "wrapped_global.h"

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) *(int32_t*)((char*)args[0].v_obj + 40) += 1;
  return code;
}

static void change(TVMFFITypeInfo* record) {
  TVMFFIMethodInfo* methods = (TVMFFIMethodInfo*)record->methods;
  for (int32_t i = 0; i < record->num_methods; ++i) {
    const TVMFFIByteArray* name = &methods[i].name;
    if (is(name, "_root") || is(name, "_is_prefix_of") || is(name, "_to_steps") || is(name, "_path_equal")) continue;
    wrap_function(&methods[i].method, callee);
  }
}

CHANGED_RECORD_OF("ffi.reflection.AccessPath", change)
