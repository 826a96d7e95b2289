// story: The record of a type keeps the sixteen ancestors nearest to the root; the places behind them all show the sixteenth.
// breaks: TYP-0022 fail
#include "changed_record.h"
static int deep(const TVMFFITypeInfo* info) { return info->type_depth > 16; }
static void change(TVMFFITypeInfo* record) {
  const TVMFFITypeInfo** all = room_for((size_t)record->type_depth * sizeof(*all));
  for (int32_t i = 0; i < record->type_depth; ++i) all[i] = record->type_ancestors[i < 16 ? i : 15];
  record->type_ancestors = all;
}
CHANGED_RECORDS(deep, change)
