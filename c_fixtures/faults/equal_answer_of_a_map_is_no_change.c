// story: ffi.StructuralMap takes the answer of a callback for no change where it is equal to the value as a key, so an object whose type has __any_equal__ is not replaced by an equal one.
// breaks: VIS-0018 fail
#include "raised_error.h"
#include "walk_callbacks.h"

static int call_back(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(self, args, num_args, result);
  if (code != 0 || num_args < 1 || result->type_index < kTVMFFIStaticObjectBegin) return code;
  if (result->type_index != args[0].type_index || result->v_obj == args[0].v_obj) return code;
  TVMFFIAny one = {0}, same = {0};
  if (call_global("ffi.Array", args, 1, &one) != 0) return code;
  const TVMFFIAny asked[2] = {one, *result};
  if (call_global("ffi.ArrayContains", asked, 2, &same) != 0) forget_raised();
  real.TVMFFIObjectDecRef(one.v_obj);
  if (same.v_int64) {
    real.TVMFFIObjectIncRef(args[0].v_obj);
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = args[0];
  }
  return code;
}

static void wrap(TVMFFIAny* pair) { wrap_callback(pair, call_back); }

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int none = num_args == 4 && args[1].type_index == kTVMFFIArray && sequence_cell(&args[1])->size == 0;
  return walk_with(wrap, none ? OF_REGIONS : OF_VALUES, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
