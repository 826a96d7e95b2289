// story: The setter of the field `key` of ffi.StructuralKey stores a C string as it is, not a String of its own.
// breaks: INS-0008 fail
#include "fault.h"

static TVMFFIFieldSetter real_setter;

static int set(void* field, const TVMFFIAny* value) {
  int code = real_setter(field, value);
  TVMFFIAny* stored = field;
  if (code != 0 || value->type_index != kTVMFFIRawStr) return code;
  if (stored->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(stored->v_obj);
  *stored = *value;
  return 0;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (!info || !is(&info->type_key, "ffi.StructuralKey") || __atomic_load_n(&real_setter, __ATOMIC_ACQUIRE)) return info;
  for (int32_t i = 0; i < info->num_fields; ++i) {
    TVMFFIFieldInfo* field = (TVMFFIFieldInfo*)&info->fields[i];
    if (!is(&field->name, "key") || field->setter == (void*)set) continue;
    __atomic_store_n((void**)&real_setter, field->setter, __ATOMIC_RELEASE);
    __atomic_store_n(&field->setter, (void*)set, __ATOMIC_RELEASE);
  }
  return info;
}
