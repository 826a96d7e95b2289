// story: The kind of an access step takes whatever it is given for a number.
// breaks: INS-0006 fail
#include "changed_record.h"

static int store(void* field, const TVMFFIAny* value) {
  *(int32_t*)field = (int32_t)value->v_int64;
  return 0;
}

static void change(TVMFFITypeInfo* record) {
  for (int32_t i = 0; i < record->num_fields; ++i) {
    if (record->fields[i].size == 4) fields_of(record)[i].setter = (void*)store;
  }
}

CHANGED_RECORD_OF("ffi.reflection.AccessStep", change)
