// story: A callback of a structural map is called for objects of all types that have the parent of its own, and of the parent.
// breaks: VIS-0005 fail
#include "known_type.h"
#include "walk_callbacks.h"

static void change(TVMFFIAny* pair) {
  if (pair[0].v_int64 < kTVMFFIDynObjectBegin || !is_known_type((int32_t)pair[0].v_int64)) return;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo((int32_t)pair[0].v_int64);
  if (info->type_depth > 1) pair[0].v_int64 = info->type_ancestors[info->type_depth - 1]->type_index;
}

static int map(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return walk_with(change, OF_VALUES, original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralMap", map)
