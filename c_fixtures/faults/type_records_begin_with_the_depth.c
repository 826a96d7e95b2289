// story: In the records of types the depth lies where the index belongs, and the index where the depth does.
// breaks: TYP-0011 fail
// breaks: TYP-0012 fail
#include "changed_record.h"

static int is_changed(const TVMFFITypeInfo* info) { return info != NULL; }

static void change(TVMFFITypeInfo* record) {
  const int32_t depth = record->type_depth;
  record->type_depth = record->type_index;
  record->type_index = depth;
}

CHANGED_RECORDS(is_changed, change)
