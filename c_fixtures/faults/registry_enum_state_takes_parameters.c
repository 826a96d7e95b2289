// story: The fields of an enumeration's state are parameters of its initialiser.
// breaks: REG-0010 fail
#include "changed_record.h"

static void change(TVMFFITypeInfo* record) {
  for (int32_t i = 0; i < record->num_fields; ++i) fields_of(record)[i].flags &= ~kTVMFFIFieldFlagBitMaskInitOff;
}

CHANGED_RECORD_OF("ffi.EnumState", change)
