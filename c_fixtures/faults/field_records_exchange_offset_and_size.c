// story: In the records of fields the offset lies where the size belongs, and the size where the offset does.
// breaks: RFL-0001 fail
// chance: Who goes by the records reads and writes memory that is no field's.
#include "changed_record.h"

static int is_changed(const TVMFFITypeInfo* info) { return info->num_fields > 0; }

static void change(TVMFFITypeInfo* record) {
  TVMFFIFieldInfo* fields = fields_of(record);
  for (int32_t i = 0; i < record->num_fields; ++i) {
    const int64_t size = fields[i].size;
    fields[i].size = fields[i].offset;
    fields[i].offset = size;
  }
}

CHANGED_RECORDS(is_changed, change)
