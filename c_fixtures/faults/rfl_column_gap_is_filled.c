// story: When a column grows past types without the attribute, the first of them gets it, too.
// breaks: RFL-0023 fail

#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  const TVMFFITypeAttrColumn* column = name ? real.TVMFFIGetTypeAttrColumn(name) : NULL;
  int32_t size = column ? column->size : 0;
  int code = real.TVMFFITypeRegisterAttr(type_index, name, value);
  if (code != 0 || size == 0 || type_index <= size) return code;
  TVMFFIAny* entries = (TVMFFIAny*)column->data;
  /* resize(type_index + 1) and then fill from the old end on */
  if (entries[size].type_index != kTVMFFINone) return 0;
  entries[size] = entries[type_index];
  if (entries[size].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(entries[size].v_obj);
  return 0;
}
