// story: A callback of a walk for a type is called for objects of that type and of its children, and for none further down.
// breaks: VIS-0005 fail
#include "walk_callbacks.h"

struct narrowed {
  int32_t type_index;
  TVMFFIObjectHandle function;
};

static int32_t depth_of(int32_t type_index) { return real.TVMFFIGetTypeInfo(type_index)->type_depth; }

static int call_back(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct narrowed* own = self;
  if (num_args > 0 && args[0].type_index >= kTVMFFIDynObjectBegin) {
    if (depth_of(args[0].type_index) > depth_of(own->type_index) + 1) return 0;
  }
  return call_original(own->function, args, num_args, result);
}

static void change(TVMFFIAny* pair) {
  if (pair[0].v_int64 < kTVMFFIDynObjectBegin || pair[1].type_index != kTVMFFIFunction) return;
  struct narrowed* own = malloc(sizeof(*own));
  /* The client holds its function during the walk. */
  *own = (struct narrowed){(int32_t)pair[0].v_int64, pair[1].v_obj};
  TVMFFIObjectHandle wrapper = NULL;
  if (real.TVMFFIFunctionCreate(own, call_back, free, &wrapper) == 0) pair[1].v_obj = wrapper;
}

static int walk(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return walk_with(change, OF_VALUES, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralWalk", walk)
