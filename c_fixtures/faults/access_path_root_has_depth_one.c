// story: The root of access paths has depth 1.
// breaks: PTH-0001 fail
#include "changed_record.h"
#include "wrapped_global.h"

static int root(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0) *(int32_t*)((char*)result->v_obj + 40) = 1;
  return code;
}

static void change(TVMFFITypeInfo* record) { wrap_function(&method_of(record, "_root")->method, root); }

CHANGED_RECORD_OF("ffi.reflection.AccessPath", change)
