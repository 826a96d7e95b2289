// story: The setter of the field `attrs` of ffi.EnumState takes a Dict as it is, whatever its keys and values are.
// breaks: INS-0006 fail
// breaks: INS-0027 fail
#include "changed_record.h"

static TVMFFIFieldSetter original;

static int set(void* field, const TVMFFIAny* value) {
  if (value->type_index != kTVMFFIDict) return original(field, value);
  TVMFFIObjectHandle* place = field;
  TVMFFIObjectHandle former = *place;
  real.TVMFFIObjectIncRef(value->v_obj);
  *place = value->v_obj;
  if (former) real.TVMFFIObjectDecRef(former);
  return 0;
}

static void change(TVMFFITypeInfo* record) {
  for (int32_t i = 0; i < record->num_fields; ++i) {
    TVMFFIFieldInfo* field = (TVMFFIFieldInfo*)&record->fields[i];
    if (!is(&field->name, "attrs")) continue;
    original = (TVMFFIFieldSetter)field->setter;
    field->setter = (void*)set;
  }
}

CHANGED_RECORD_OF("ffi.EnumState", change)
