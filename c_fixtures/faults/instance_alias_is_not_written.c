// story: The value of an integer enumeration is read, but writing it has no effect.
// breaks: REG-0012 fail
#include "changed_record.h"

static int ignore(void* field, const TVMFFIAny* value) {
  (void)field, (void)value;
  return 0;
}

static void change(TVMFFITypeInfo* record) { fields_of(record)[0].setter = (void*)ignore; }

CHANGED_RECORD_OF("ffi.IntEnum", change)
