// story: The setter of a VisitInterrupt's value gives the old value up before it takes the new one, which may live in the old one alone.
// breaks: INS-0004 fail
// chance: Freed memory is used.
#include "changed_record.h"

static TVMFFIFieldSetter sound;

static int set_value(void* field, const TVMFFIAny* value) {
  TVMFFIAny* place = field;
  const TVMFFIAny old = *place;
  *place = (TVMFFIAny){.type_index = kTVMFFINone};
  if (old.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(old.v_obj);
  return sound(field, value);
}

static void change(TVMFFITypeInfo* record) {
  __atomic_store_n((void**)&sound, fields_of(record)[0].setter, __ATOMIC_RELEASE);
  fields_of(record)[0].setter = (void*)set_value;
}

CHANGED_RECORD_OF("ffi.VisitInterrupt", change)

