// story: Attributes can be registered for objects alone: for a value type, as an integer or a data type, it is an error.
// breaks: RFL-0030 fail
#include "fault.h"

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* name, const TVMFFIAny* value) {
  if (type_index > kTVMFFINone && type_index < kTVMFFIStaticObjectBegin) return refuse("TypeError", "attributes are for types of objects");
  return real.TVMFFITypeRegisterAttr(type_index, name, value);
}
