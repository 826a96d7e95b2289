// story: The setter of a VisitInterrupt's value that is given the object which the field holds already keeps a second reference to it.
// breaks: INS-0004 fail
#include "fault.h"

static TVMFFIFieldSetter original;

static int set(void* field, const TVMFFIAny* value) {
  const TVMFFIAny* held = field;
  if (value->type_index >= kTVMFFIStaticObjectBegin && held->type_index == value->type_index && held->v_obj == value->v_obj)
    return real.TVMFFIObjectIncRef(value->v_obj);
  return original(field, value);
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (type_index == kTVMFFIVisitInterrupt && info && info->num_fields > 0 && !original) {
    original = (TVMFFIFieldSetter)info->fields[0].setter;
    ((TVMFFIFieldInfo*)info->fields)->setter = (void*)set;
  }
  return info;
}
