// story: The getter of a step's key answers its value with one reference too many.
// breaks: INS-0003 fail
#include "changed_record.h"

static TVMFFIFieldGetter getter;

static int hold(void* field, TVMFFIAny* result) {
  int code = __atomic_load_n(&getter, __ATOMIC_ACQUIRE)(field, result);
  if (code == 0 && result->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(result->v_obj);
  return code;
}

static void change(TVMFFITypeInfo* record) {
  TVMFFIFieldInfo* key = &fields_of(record)[1];
  __atomic_store_n(&getter, key->getter, __ATOMIC_RELEASE);
  key->getter = hold;
}

CHANGED_RECORD_OF("ffi.reflection.AccessStep", change)
