// story: Long keys are cut in the records of types.
// breaks: TYP-0011 fail
#include "changed_record.h"

static int is_changed(const TVMFFITypeInfo* info) { return info->type_key.size > 64; }

static void change(TVMFFITypeInfo* record) { record->type_key.size = 64; }

CHANGED_RECORDS(is_changed, change)
