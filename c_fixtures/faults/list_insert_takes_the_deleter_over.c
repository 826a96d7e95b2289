// story: ffi.ListInsert gives the List that it changes a deleter of the library, which forgets a client's own.
// breaks: LST-0029 fail
#include "wrapped_global.h"

static void forget(void* self, int flags) {
  (void)self;
  (void)flags;
}

static int insert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  TVMFFIAny own = {0};
  if (code != 0 || args[0].type_index != kTVMFFIList || call_global("ffi.List", NULL, 0, &own) != 0) return code;
  if (args[0].v_obj->deleter != own.v_obj->deleter) args[0].v_obj->deleter = forget;
  real.TVMFFIObjectDecRef(own.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ListInsert", insert)
