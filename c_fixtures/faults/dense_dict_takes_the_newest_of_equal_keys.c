// story: A dense Dict whose key is given again, as another object of the same content, stores the new key with the new value.
// breaks: DCT-0035 fail
#include "map_dense_cell.h"
#include "wrapped_global.h"

static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || num_args != 3 || args[0].type_index != kTVMFFIDict || !is_dense(&args[0]) || args[1].type_index < kTVMFFIStaticObjectBegin) return code;
  const uint64_t last = dense_cell(&args[0])->last;
  if (last >= map_cell(&args[0])->slots) return code;
  TVMFFIAny* key = &dense_item(&args[0], last)->key;
  if (key->type_index != args[1].type_index || key->v_obj == args[1].v_obj) return code;
  real.TVMFFIObjectIncRef(args[1].v_obj);
  TVMFFIObject* old = key->v_obj;
  key->v_obj = args[1].v_obj;
  real.TVMFFIObjectDecRef(old);
  return code;
}

WRAPPED_GLOBAL("ffi.DictSetItem", set)
