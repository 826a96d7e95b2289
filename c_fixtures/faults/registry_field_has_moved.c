// story: Access paths have their depth four bytes further on, as the record says.
// breaks: REG-0014 fail
#include "changed_record.h"

static void change(TVMFFITypeInfo* record) {
  for (int32_t i = 0; i < record->num_fields; ++i) {
    if (record->fields[i].offset == 40) fields_of(record)[i].offset = 44;
  }
}

CHANGED_RECORD_OF("ffi.reflection.AccessPath", change)
