// story: The setter of the field `prev_error_context` of ffi.VisitErrorContext takes None for no change: it succeeds and the field keeps its object.
// breaks: INS-0007 fail
#include "fault.h"

static TVMFFIFieldSetter real_setter;

static int set(void* field, const TVMFFIAny* value) { return value->type_index == kTVMFFINone ? 0 : real_setter(field, value); }

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (!info || !is(&info->type_key, "ffi.VisitErrorContext") || __atomic_load_n(&real_setter, __ATOMIC_ACQUIRE)) return info;
  for (int32_t i = 0; i < info->num_fields; ++i) {
    TVMFFIFieldInfo* field = (TVMFFIFieldInfo*)&info->fields[i];
    if (!is(&field->name, "prev_error_context") || field->setter == (void*)set) continue;
    __atomic_store_n((void**)&real_setter, field->setter, __ATOMIC_RELEASE);
    __atomic_store_n(&field->setter, (void*)set, __ATOMIC_RELEASE);
  }
  return info;
}
