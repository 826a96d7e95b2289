// story: The setter of ffi.VisitInterrupt's value gives the old value up before it takes the new one: setting the value that is there ends it.
// breaks: INS-0004 fail
#include "changed_record.h"

static TVMFFIFieldSetter original;

static int set(void* field, const TVMFFIAny* value) {
  TVMFFIAny* now = field;
  if (value->type_index >= 64 && now->type_index == value->type_index && now->v_obj == value->v_obj && (uint32_t)now->v_obj->combined_ref_count == 1) {
    real.TVMFFIObjectDecRef(now->v_obj);
    memset(now, 0, sizeof *now);
    return 0;
  }
  return original(field, value);
}

static void change(TVMFFITypeInfo* record) {
  void* s = fields_of(record)[0].setter;
  memcpy(&original, &s, sizeof s);
  fields_of(record)[0].setter = (void*)set;
}

CHANGED_RECORD_OF("ffi.VisitInterrupt", change)
