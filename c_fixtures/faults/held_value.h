/* Values that a fault holds, gives up and puts others in the place of. */
#ifndef TVM_FFI_HELD_VALUE_H_
#define TVM_FFI_HELD_VALUE_H_

#include "answered_text.h"
#include "wrapped_global.h"

static inline void give_up(TVMFFIAny value) {
  if (value.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value.v_obj);
}

/** What a type has in an attribute column, borrowed; None where it has nothing. */
static inline TVMFFIAny attribute_of(int32_t type_index, const char* name) {
  const TVMFFIByteArray column_name = {name, strlen(name)};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&column_name);
  const int32_t place = column ? type_index - column->begin_index : -1;
  return column && place >= 0 && place < column->size ? column->data[place] : (TVMFFIAny){.type_index = kTVMFFINone};
}

#endif /* TVM_FFI_HELD_VALUE_H_ */
