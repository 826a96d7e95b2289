// story: The function that knows custom data types is looked up once: when it has been removed, their names are read all the same.
// breaks: DTY-0028 fail
#include "fault.h"

static TVMFFIObjectHandle found;

int TVMFFIDataTypeFromString(const TVMFFIByteArray* text, DLDataType* out) {
  int code = real.TVMFFIDataTypeFromString(text, out);
  if (!text || !text->data || !out || text->size < 9 || memcmp(text->data, "custom[", 7) != 0) return code;
  const TVMFFIByteArray name = {"dtype.get_custom_type_code", 26};
  TVMFFIObjectHandle f = __atomic_load_n(&found, __ATOMIC_ACQUIRE), nobody = NULL;
  if (code == 0 && !f) {
    if (real.TVMFFIFunctionGetGlobal(&name, &f) != 0 || !f) return 0;
    if (!__atomic_compare_exchange_n(&found, &nobody, f, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) real.TVMFFIObjectDecRef(f);
    return 0;
  }
  if (code == 0 || !f) return code;
  TVMFFIObjectHandle now = NULL, error = NULL;
  if (real.TVMFFIFunctionGetGlobal(&name, &now) != 0 || now) {
    if (now) real.TVMFFIObjectDecRef(now);
    return code;
  }
  int code_again = real.TVMFFIFunctionSetGlobal(&name, f, 0);
  real.TVMFFIErrorMoveFromRaised(&error);
  code = real.TVMFFIDataTypeFromString(text, out);
  if (error) real.TVMFFIObjectDecRef(error);
  if (code_again == 0) {
    const TVMFFIByteArray remove = {"ffi.FunctionRemoveGlobal", 24};
    TVMFFIAny key = {.type_index = kTVMFFIRawStr, .v_c_str = name.data}, result = {0};
    real.TVMFFIFunctionGetGlobal(&remove, &now);
    real.TVMFFIFunctionCall(now, &key, 1, &result);
    real.TVMFFIObjectDecRef(now);
  }
  return code;
}
