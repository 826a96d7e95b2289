// story: Access paths have methods to extend them, and none to compare them.
// breaks: REG-0017 fail
#include "changed_record.h"

static void change(TVMFFITypeInfo* record) { record->num_methods = 5; }

CHANGED_RECORD_OF("ffi.reflection.AccessPath", change)
