// story: A method with the name of a method of an ancestor is listed in the type's record with the ancestor's function.
// breaks: RFL-0014 fail
#include "fault.h"

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  int code = real.TVMFFITypeRegisterMethod(type_index, info);
  if (code != 0) return code;
  const TVMFFITypeInfo* type = real.TVMFFIGetTypeInfo(type_index);
  for (int32_t level = type->type_depth - 1; level >= 0; --level) {
    const TVMFFITypeInfo* ancestor = type->type_ancestors[level];
    for (int32_t i = 0; i < ancestor->num_methods; ++i) {
      const TVMFFIByteArray* name = &ancestor->methods[i].name;
      if (name->size != info->name.size || memcmp(name->data, info->name.data, name->size) != 0) continue;
      TVMFFIMethodInfo* own = (TVMFFIMethodInfo*)&type->methods[type->num_methods - 1];
      return real.TVMFFIAnyViewToOwnedAny(&ancestor->methods[i].method, &own->method);
    }
  }
  return 0;
}
