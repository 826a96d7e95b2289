// story: The record of a new type says that its instances are as large as the header.
// breaks: TYP-0034 fail
#include "changed_record.h"

static int is_changed(const TVMFFITypeInfo* info) {
  return info->metadata == NULL && info->type_index >= kTVMFFIDynObjectBegin;
}

static void change(TVMFFITypeInfo* record) {
  static const TVMFFITypeMetadata assumed = {.total_size = sizeof(TVMFFIObject)};
  record->metadata = &assumed;
}

CHANGED_RECORDS(is_changed, change)
