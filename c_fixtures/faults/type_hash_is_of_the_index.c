// story: The key hash of a type is mixed with its index, which depends on what was registered before.
// breaks: TYP-0043 fail
#include "changed_record.h"

static int is_changed(const TVMFFITypeInfo* info) { return info->type_index >= kTVMFFIDynObjectBegin; }

static void change(TVMFFITypeInfo* record) { record->type_key_hash ^= (uint64_t)record->type_index << 32; }

CHANGED_RECORDS(is_changed, change)
