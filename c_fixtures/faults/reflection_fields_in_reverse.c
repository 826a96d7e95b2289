// story: The fields of a type are listed with the newest first.
// breaks: RFL-0008 fail
#include "changed_record.h"

static int is_changed(const TVMFFITypeInfo* info) { return info->num_fields > 1; }

static void change(TVMFFITypeInfo* record) {
  TVMFFIFieldInfo* fields = fields_of(record);
  for (int32_t i = 0, j = record->num_fields - 1; i < j; ++i, --j) {
    const TVMFFIFieldInfo field = fields[i];
    fields[i] = fields[j];
    fields[j] = field;
  }
}

CHANGED_RECORDS(is_changed, change)
