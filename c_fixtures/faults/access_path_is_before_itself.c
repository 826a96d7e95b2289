// story: No access path is a prefix of itself.
// breaks: PTH-0005 fail
#include "changed_record.h"
#include "wrapped_global.h"

static int is_prefix(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 && args[0].v_obj == args[1].v_obj) result->v_int64 = 0;
  return code;
}

static void change(TVMFFITypeInfo* record) { wrap_function(&method_of(record, "_is_prefix_of")->method, is_prefix); }

CHANGED_RECORD_OF("ffi.reflection.AccessPath", change)
