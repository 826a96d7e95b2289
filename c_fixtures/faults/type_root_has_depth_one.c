// story: Depths are counted from one.
// breaks: TYP-0012 fail
// breaks: TYP-0013 fail
#include "changed_record.h"

static int is_changed(const TVMFFITypeInfo* info) { return info->type_index < kTVMFFIDynObjectBegin; }

static void change(TVMFFITypeInfo* record) { record->type_depth += 1; }

CHANGED_RECORDS(is_changed, change)
