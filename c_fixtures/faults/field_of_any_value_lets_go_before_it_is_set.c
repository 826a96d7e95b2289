// story: The setters of built-in fields of any value let go of what was there before the field has its new value.
// breaks: INS-0004 crash
// chance: Freed memory is read.
#include "changed_record.h"

static int set(void* field, const TVMFFIAny* value) {
  TVMFFIAny *place = field, owned = {0};
  int code = real.TVMFFIAnyViewToOwnedAny(value, &owned);
  if (code != 0) return code;
  if (place->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(place->v_obj);
  *place = owned;
  return 0;
}

static int has_such_a_field(const TVMFFITypeInfo* info) {
  return is(&info->type_key, "ffi.VisitInterrupt") || is(&info->type_key, "ffi.reflection.AccessStep");
}

static void change(TVMFFITypeInfo* record) {
  for (int32_t i = 0; i < record->num_fields; ++i) {
    TVMFFIFieldInfo* field = &fields_of(record)[i];
    if (field->size == sizeof(TVMFFIAny) && field->setter) field->setter = (void*)set;
  }
}

CHANGED_RECORDS(has_such_a_field, change)
