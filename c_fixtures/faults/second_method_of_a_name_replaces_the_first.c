// story: A method with the name of one that the type has takes that one's place in the record.
// breaks: RFL-0016 fail
#include "fault.h"

int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  const TVMFFIByteArray object = {"ffi.Object", 10};
  int32_t root = 0;
  if (!info || type_index < kTVMFFIDynObjectBegin || info->method.type_index != kTVMFFIFunction ||
      real.TVMFFITypeKeyToIndex(&object, &root) != 0) {
    return real.TVMFFITypeRegisterMethod(type_index, info);
  }
  int32_t before = 0;
  /* A type of that index is known to be there when the registration has succeeded. */
  int code = real.TVMFFITypeRegisterMethod(type_index, info);
  if (code != 0) return code;
  TVMFFITypeInfo* type = (TVMFFITypeInfo*)real.TVMFFIGetTypeInfo(type_index);
  TVMFFIMethodInfo* methods = (TVMFFIMethodInfo*)type->methods;
  TVMFFIMethodInfo* last = &methods[type->num_methods - 1];
  while (before < type->num_methods - 1 &&
         (methods[before].name.size != last->name.size || memcmp(methods[before].name.data, last->name.data, last->name.size) != 0)) {
    ++before;
  }
  if (before == type->num_methods - 1) return 0;
  TVMFFIAny old = methods[before].method;
  methods[before].method = last->method;
  methods[before].flags = last->flags;
  real.TVMFFIObjectIncRef(last->method.v_obj);
  if (old.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(old.v_obj);
  return 0;
}
