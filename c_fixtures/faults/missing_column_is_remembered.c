// story: A thread remembers the last attribute name that had no column; setting an attribute of a type makes it look again, but ensuring the column with None at type 0 does not.
// breaks: RFL-0028 fail
#include "fault.h"

static uint64_t generation;
static __thread uint64_t seen;
static __thread char missing[128];
static __thread size_t size;

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  uint64_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
  int is_missing = attr_name && size && seen == now && attr_name->size == size && !memcmp(attr_name->data, missing, size);
  if (is_missing) return NULL;
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(attr_name);
  if (!column && attr_name && attr_name->data && attr_name->size <= sizeof missing) {
    memcpy(missing, attr_name->data, size = attr_name->size);
    seen = now;
  }
  return column;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  int status = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  int ensures = type_index == kTVMFFINone && attr_value->type_index == kTVMFFINone;
  if (status == 0 && !ensures) __atomic_add_fetch(&generation, 1, __ATOMIC_ACQ_REL);
  return status;
}
