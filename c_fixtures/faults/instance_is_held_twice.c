// story: A new interruption has a reference that nobody owns.
// breaks: INS-0001 fail
#include "changed_record.h"

static TVMFFIObjectCreator create;

static int create_and_hold(TVMFFIObjectHandle* result) {
  int code = __atomic_load_n(&create, __ATOMIC_ACQUIRE)(result);
  return code != 0 ? code : real.TVMFFIObjectIncRef(*result);
}

static void change(TVMFFITypeInfo* record) {
  TVMFFITypeMetadata* metadata = (TVMFFITypeMetadata*)record->metadata;
  __atomic_store_n(&create, metadata->creator, __ATOMIC_RELEASE);
  metadata->creator = create_and_hold;
}

CHANGED_RECORD_OF("ffi.VisitInterrupt", change)
