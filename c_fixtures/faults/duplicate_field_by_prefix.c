// story: A field is refused as a second one of its name if an earlier one's name begins alike.
// breaks: RFL-0002 fail
#include "fault.h"

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (info && type_index >= kTVMFFIDynObjectBegin) {
    const TVMFFITypeInfo* type = real.TVMFFIGetTypeInfo(type_index);
    for (int i = 0; type && info->name.size > 0 && i < type->num_fields; i++) {
      if (type->fields[i].name.size > info->name.size &&
          strncmp(type->fields[i].name.data, info->name.data, info->name.size) == 0) {
        real.TVMFFIErrorSetRaisedFromCStr("InternalError", "Duplicate field name");
        return -1;
      }
    }
  }
  return real.TVMFFITypeRegisterField(type_index, info);
}
