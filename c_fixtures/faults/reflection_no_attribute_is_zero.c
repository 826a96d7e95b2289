// story: The entries of types that do not have an attribute are the integer 0.
// breaks: RFL-0025 fail
#include "changed_record.h"

static int is_changed(const TVMFFIByteArray* name) { return name->size < 2 || memcmp(name->data, "__", 2) != 0; }

static void change(TVMFFITypeAttrColumn* column) {
  TVMFFIAny* entries = (TVMFFIAny*)column->data;
  for (int32_t i = 0; i < column->size; ++i) {
    if (entries[i].type_index == kTVMFFINone) entries[i].type_index = kTVMFFIInt;
  }
}

CHANGED_COLUMNS(is_changed, change)
