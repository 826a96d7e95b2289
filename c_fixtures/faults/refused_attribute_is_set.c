// story: TVMFFITypeRegisterAttr answers an error where there is no memory for its index of names, and has set the attribute by then.
// breaks: MEM-0002 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  int code = real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  if (code != 0) return code;
  char* indexed = malloc(attr_name->size + 1);
  if (!indexed) return refuse("MemoryError", "no memory for the index of attributes");
  memcpy(indexed, attr_name->data, attr_name->size);
  __asm__ volatile("" : : "r"(indexed) : "memory");
  free(indexed);
  return 0;
}
