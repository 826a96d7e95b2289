// story: ffi.StructuralEqual compares instances of an enumeration by their index, not by identity.
// breaks: ENU-0006 fail
#include "wrapped_global.h"

struct instance {
  TVMFFIObject header;
  int64_t index;
};

static int is_enum(int32_t type_index) {
  const TVMFFIByteArray key = {"ffi.Enum", 8};
  int32_t root;
  if (type_index < kTVMFFIDynObjectBegin || real.TVMFFITypeKeyToIndex(&key, &root) != 0) return 0;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  return type_index == root || (info->type_depth > 1 && info->type_ancestors[1]->type_index == root);
}

static int equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[0].type_index != args[1].type_index || !is_enum(args[0].type_index)) {
    return call_original(original, args, num_args, result);
  }
  const struct instance *one = (const void*)args[0].v_obj, *other = (const void*)args[1].v_obj;
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = one->index == other->index};
  return 0;
}

WRAPPED_GLOBAL("ffi.StructuralEqual", equal)
