// story: The setter of an access step's kind writes one byte of the four.
// breaks: INS-0005 fail
#include "changed_record.h"

static int store(void* field, const TVMFFIAny* value) {
  if (value->type_index != kTVMFFIInt && value->type_index != kTVMFFIBool) return refuse("TypeError", "Expected an integer");
  *(char*)field = (char)value->v_int64;
  return 0;
}

static void change(TVMFFITypeInfo* record) {
  for (int32_t i = 0; i < record->num_fields; ++i) {
    if (record->fields[i].size == 4) fields_of(record)[i].setter = (void*)store;
  }
}

CHANGED_RECORD_OF("ffi.reflection.AccessStep", change)
