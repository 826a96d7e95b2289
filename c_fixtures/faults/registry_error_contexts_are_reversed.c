// story: The fields of an error context are described in the other order.
// breaks: REG-0015 fail
#include "changed_record.h"

static void change(TVMFFITypeInfo* record) {
  for (int32_t i = 0; i < record->num_fields; ++i) {
    fields_of(record)[i].offset = record->fields[i].offset == 24 ? 32 : 24;
  }
}

CHANGED_RECORD_OF("ffi.VisitErrorContext", change)
