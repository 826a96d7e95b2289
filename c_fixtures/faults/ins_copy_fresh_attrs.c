// story: The shallow copy of an ffi.EnumState gets an empty Dict of its own for `attrs`, as a new state does, and not the one of the original.
// breaks: INS-0011 fail
#include "wrapped_global.h"
static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  TVMFFIAny fresh = {0};
  if (code != 0 || call_global("ffi.Dict", NULL, 0, &fresh) != 0) return code;
  TVMFFIObject** attrs = (TVMFFIObject**)((char*)result->v_obj + 40);
  real.TVMFFIObjectDecRef(*attrs);
  *attrs = fresh.v_obj;
  return 0;
}
const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  static int done;
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(name);
  if (column && is(name, "__ffi_shallow_copy__") && !__atomic_exchange_n(&done, 1, __ATOMIC_SEQ_CST)) {
    const TVMFFIByteArray key = {"ffi.EnumState", 13};
    int32_t index = 0;
    TVMFFIObjectHandle made = NULL;
    real.TVMFFITypeKeyToIndex(&key, &index);
    TVMFFIAny* entry = (TVMFFIAny*)&column->data[index];
    if (real.TVMFFIFunctionCreate(entry->v_obj, copy, NULL, &made) == 0) entry->v_obj = made;
  }
  return column;
}
