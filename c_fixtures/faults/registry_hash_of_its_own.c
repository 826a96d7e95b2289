// story: One type has a key hash that no other library computes.
// breaks: REG-0007 fail
#include "changed_record.h"

static void change(TVMFFITypeInfo* record) { record->type_key_hash = 0x5151515151515151; }

CHANGED_RECORD_OF("ffi.StrEnum", change)
