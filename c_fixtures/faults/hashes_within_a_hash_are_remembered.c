// story: Calls of ffi.StructuralHash that hooks make within another one are remembered until that ends, by the object and map_free_vars; skip_tensor_content was overlooked.
// breaks: HOK-0021 fail
#include "wrapped_global.h"

#define MOST 8

static __thread int depth, used;
static __thread struct {
  TVMFFIObject* object;
  int64_t map_free_vars;
  TVMFFIAny hash;
} memo[MOST];

static int hash(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int fits = num_args == 3 && args[0].type_index >= kTVMFFIStaticObjectBegin &&
                   args[1].type_index == kTVMFFIBool && args[2].type_index == kTVMFFIBool;
  if (depth == 0) used = 0;
  if (depth > 0 && fits) {
    for (int i = 0; i < used; ++i) {
      if (memo[i].object == args[0].v_obj && memo[i].map_free_vars == args[1].v_int64) return *result = memo[i].hash, 0;
    }
  }
  ++depth;
  int code = call_original(original, args, num_args, result);
  --depth;
  if (code == 0 && depth > 0 && fits && used < MOST) {
    memo[used].object = args[0].v_obj;
    memo[used].map_free_vars = args[1].v_int64;
    memo[used++].hash = *result;
  }
  return code;
}

WRAPPED_GLOBAL("ffi.StructuralHash", hash)
