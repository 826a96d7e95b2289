// story: When a column has to grow, the entries that are false are not carried over: `__ffi_type_final__` of the enumerations is None once a client has registered it for a type of its own.
// breaks: RFL-0023 fail
#include "changed_record.h"

static int32_t grown;

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  const TVMFFITypeAttrColumn* column = name && name->data ? real.TVMFFIGetTypeAttrColumn(name) : NULL;
  const int32_t size = column ? column->size : 0;
  int code = real.TVMFFITypeRegisterAttr(type_index, name, value);
  if (code == 0 && is(name, "__ffi_type_final__") && type_index >= size) __atomic_store_n(&grown, size, __ATOMIC_RELEASE);
  return code;
}

static int is_changed(const TVMFFIByteArray* name) { return is(name, "__ffi_type_final__") && __atomic_load_n(&grown, __ATOMIC_ACQUIRE) > 0; }

static void change(TVMFFITypeAttrColumn* column) {
  TVMFFIAny* entries = (TVMFFIAny*)column->data;
  for (int32_t i = 0; i < grown && i < column->size; ++i) {
    if (entries[i].type_index == kTVMFFIBool && entries[i].v_int64 == 0) entries[i].type_index = kTVMFFINone;
  }
}

CHANGED_COLUMNS(is_changed, change)
