// story: Whether there is a function for custom data types is found out at the first custom name that is read, and never again: one that is registered later is not asked.
// breaks: DTY-0027 fail
#include "fault.h"
int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  static int missing;
  static const TVMFFIByteArray name = {"dtype.get_custom_type_code", 26};
  if (str && str->data && str->size > 7 && memcmp(str->data, "custom[", 7) == 0) {
    TVMFFIObjectHandle f = NULL;
    real.TVMFFIFunctionGetGlobal(&name, &f);
    if (f) real.TVMFFIObjectDecRef(f);
    if (!f) __atomic_store_n(&missing, 1, __ATOMIC_RELAXED);
    if (__atomic_load_n(&missing, __ATOMIC_RELAXED)) return refuse("ValueError", "Function dtype.get_custom_type_code not found");
  }
  return real.TVMFFIDataTypeFromString(str, out);
}
