// story: The setter of a built-in field takes a value that is moved to it out of its slot, and forgets it where the field cannot hold it.
// breaks: ARG-0001 fail
#include "changed_record.h"

static int (*own_setter)(void* field, const TVMFFIAny* value);

static int set(void* field, const TVMFFIAny* value) {
  TVMFFIObject* moved = value->type_index == kTVMFFIObjectRValueRef ? *(TVMFFIObject**)value->v_ptr : NULL;
  if (moved) real.TVMFFIObjectIncRef(moved);
  int code = own_setter(field, value);
  if (moved && code == 0) real.TVMFFIObjectDecRef(moved);
  return code;
}

static void change(TVMFFITypeInfo* record) {
  TVMFFIFieldInfo* fields = fields_of(record);
  for (int32_t i = 0; i < record->num_fields; ++i) {
    if (!is(&fields[i].name, "entries")) continue;
    if (fields[i].setter != (void*)set) __atomic_store(&own_setter, (int (**)(void*, const TVMFFIAny*))&fields[i].setter, __ATOMIC_RELEASE);
    fields[i].setter = (void*)set;
  }
}

CHANGED_RECORD_OF("ffi.EnumState", change)
