// story: A documentation that is empty is given out as the word None.
// breaks: RFL-0003 fail
#include "changed_record.h"

static int is_changed(const TVMFFITypeInfo* info) { return info->type_index >= kTVMFFIDynObjectBegin; }

static void change(TVMFFITypeInfo* record) {
  for (int32_t i = 0; i < record->num_fields; ++i) {
    TVMFFIByteArray* doc = &fields_of(record)[i].doc;
    if (doc->size == 0) *doc = (TVMFFIByteArray){"None", 4};
  }
}

CHANGED_RECORDS(is_changed, change)
