// story: A method with the name of one that an ancestor of its type has is taken for a second registration, and left out without an error.
// breaks: RFL-0016 fail
#include "fault.h"

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  const TVMFFITypeInfo* type = type_index < kTVMFFIDynObjectBegin ? NULL : real.TVMFFIGetTypeInfo(type_index);
  for (int32_t level = 0; type && level < type->type_depth; ++level) {
    const TVMFFITypeInfo* ancestor = type->type_ancestors[level];
    for (int32_t i = 0; i < ancestor->num_methods; ++i) {
      const TVMFFIByteArray* name = &ancestor->methods[i].name;
      if (name->size == info->name.size && memcmp(name->data, info->name.data, name->size) == 0) return 0;
    }
  }
  return real.TVMFFITypeRegisterMethod(type_index, info);
}
