// story: None leaves a field that holds an object as it was.
// breaks: INS-0007 fail
#include "changed_record.h"

static TVMFFIFieldSetter original;

static int store(void* field, const TVMFFIAny* value) {
  return value->type_index == kTVMFFINone ? 0 : original(field, value);
}

static void change(TVMFFITypeInfo* record) {
  for (int32_t i = 0; i < record->num_fields; ++i) {
    if (!is(&record->fields[i].name, "parent")) continue;
    __atomic_store_n(&original, (TVMFFIFieldSetter)record->fields[i].setter, __ATOMIC_RELAXED);
    fields_of(record)[i].setter = (void*)store;
  }
}

CHANGED_RECORD_OF("ffi.reflection.AccessPath", change)
