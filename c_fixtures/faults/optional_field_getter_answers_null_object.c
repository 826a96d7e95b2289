// story: The getter of prev_error_context answers an object whose address is NULL where the field has nothing, in place of None.
// breaks: INS-0007 fail
#include "changed_record.h"
static int get(void* field, TVMFFIAny* result) {
  TVMFFIObject* held = *(TVMFFIObject**)field;
  if (held) real.TVMFFIObjectIncRef(held);
  *result = (TVMFFIAny){.type_index = held ? held->type_index : kTVMFFIObject, .v_obj = held};
  return 0;
}
static void change(TVMFFITypeInfo* record) {
  for (int32_t i = 0; i < record->num_fields; ++i) {
    if (is(&record->fields[i].name, "prev_error_context")) fields_of(record)[i].getter = get;
  }
}
CHANGED_RECORD_OF("ffi.VisitErrorContext", change)
