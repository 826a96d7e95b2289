// story: The imports of a module, which clients do not write, have no setter.
// breaks: REG-0063 fail
#include "changed_record.h"

static void change(TVMFFITypeInfo* record) {
  if (record->num_fields == 1) fields_of(record)[0].setter = NULL;
}

CHANGED_RECORD_OF("ffi.Module", change)
