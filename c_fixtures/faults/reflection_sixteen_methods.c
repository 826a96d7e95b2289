// story: The record of a type lists no more than sixteen methods.
// breaks: RFL-0016 fail
#include "changed_record.h"

static int is_changed(const TVMFFITypeInfo* info) { return info->num_methods > 16; }

static void change(TVMFFITypeInfo* record) { record->num_methods = 16; }

CHANGED_RECORDS(is_changed, change)
