// story: An attribute that no type has is given an empty column instead of none.
// breaks: RFL-0020 fail
#include "fault.h"

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* attr_name) {
  static const TVMFFITypeAttrColumn empty;
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(attr_name);
  return column != NULL ? column : &empty;
}
