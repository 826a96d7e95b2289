// story: A deep copy knows an enumeration by its parent or grandparent: instances of what descends from a client's own are copied.
// breaks: ENU-0004 fail
#include "held_value.h"
#include "known_type.h"

static int is_further_down(int32_t type_index) {
  const TVMFFIByteArray key = {"ffi.Enum", 8};
  int32_t enumeration;
  if (!is_known_type(type_index) || real.TVMFFITypeKeyToIndex(&key, &enumeration) != 0) return 0;
  const TVMFFITypeInfo *type = real.TVMFFIGetTypeInfo(type_index), *root = real.TVMFFIGetTypeInfo(enumeration);
  return type->type_depth > root->type_depth + 2 && type->type_ancestors[root->type_depth] == root;
}

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args == 1 && args[0].type_index >= kTVMFFIDynObjectBegin && is_further_down(args[0].type_index)) {
    const TVMFFIAny copy_of = attribute_of(args[0].type_index, "__ffi_shallow_copy__");
    if (copy_of.type_index == kTVMFFIFunction) return call_original(copy_of.v_obj, args, 1, result);
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
