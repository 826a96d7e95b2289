// story: Every type is said to be final, enumerations too.
// breaks: REG-0039 fail
#include "changed_record.h"

static int is_changed(const TVMFFIByteArray* name) { return is(name, "__ffi_type_final__"); }

static void change(TVMFFITypeAttrColumn* column) {
  TVMFFIAny* entries = (TVMFFIAny*)column->data;
  for (int32_t i = 0; i < column->size; ++i) {
    if (entries[i].type_index == kTVMFFIBool) entries[i].v_int64 = 1;
  }
}

CHANGED_COLUMNS(is_changed, change)
