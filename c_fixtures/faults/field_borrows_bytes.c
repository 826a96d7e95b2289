// story: A field of any value keeps of a byte array the view that it was given.
// breaks: INS-0008 fail
#include "changed_record.h"

static TVMFFIFieldSetter original;

static int store(void* field, const TVMFFIAny* value) {
  if (value->type_index != kTVMFFIByteArrayPtr) return original(field, value);
  const TVMFFIAny none = {0};
  int code = original(field, &none);
  if (code == 0) *(TVMFFIAny*)field = *value;
  return code;
}

static void change(TVMFFITypeInfo* record) {
  for (int32_t i = 0; i < record->num_fields; ++i) {
    if (!is(&record->fields[i].name, "key")) continue;
    __atomic_store_n(&original, (TVMFFIFieldSetter)record->fields[i].setter, __ATOMIC_RELAXED);
    fields_of(record)[i].setter = (void*)store;
  }
}

CHANGED_RECORD_OF("ffi.reflection.AccessStep", change)
