/* Values that a fault holds, gives up and puts others in the place of. */
#ifndef TVM_FFI_HELD_VALUE_H_
#define TVM_FFI_HELD_VALUE_H_

#include "wrapped_global.h"

static inline void give_up(TVMFFIAny value) {
  if (value.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value.v_obj);
}

/** Puts a String of these bytes in the place of a value that is held. */
static inline int put_text(TVMFFIAny* place, const char* data, size_t size) {
  const TVMFFIByteArray bytes = {data, size};
  const TVMFFIAny old = *place;
  *place = (TVMFFIAny){.type_index = kTVMFFINone};
  int code = real.TVMFFIStringFromByteArray(&bytes, place);
  give_up(old);
  return code;
}

/** What a type has in an attribute column, borrowed; None where it has nothing. */
static inline TVMFFIAny attribute_of(int32_t type_index, const char* name) {
  const TVMFFIByteArray column_name = {name, strlen(name)};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&column_name);
  const int32_t place = column ? type_index - column->begin_index : -1;
  return column && place >= 0 && place < column->size ? column->data[place] : (TVMFFIAny){.type_index = kTVMFFINone};
}

#endif /* TVM_FFI_HELD_VALUE_H_ */
