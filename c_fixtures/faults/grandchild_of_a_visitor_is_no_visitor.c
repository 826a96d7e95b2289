// story: The functions of a visitor or a mutator take an object whose type has that type for its parent, but look no further up.
// breaks: ARG-0010 fail
#include "wrapped_global.h"

/** Whether the type descends from one with the key, but is no child of it. */
static int is_grandchild(int32_t type_index, const char* key) {
  if (type_index < kTVMFFIDynObjectBegin) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  return info && info->type_depth > 2 && is(&info->type_ancestors[1]->type_key, key);
}

static int of_visitors(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args > 0 && (is_grandchild(args[0].type_index, "ffi.StructuralVisitor") ||
                       is_grandchild(args[0].type_index, "ffi.StructuralMutator"))) {
    return refuse("TypeError", "Mismatched type on argument #0");
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBALS(of_visitors, "ffi.StructuralVisitorDefRegionKind", "ffi.StructuralVisitorWithDefRegionKind",
                "ffi.StructuralMutatorDefRegionKind", "ffi.StructuralMutatorWithDefRegionKind")
