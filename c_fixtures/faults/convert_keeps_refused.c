// story: The converter of ffi.Map that refuses a value keeps the reference that it took to look at it.
// breaks: INS-0015 fail
#include "fault.h"

static int convert(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int kept = num_args == 1 && args[0].type_index >= kTVMFFIStaticObjectBegin;
  if (kept) real.TVMFFIObjectIncRef(args[0].v_obj);
  int code = real.TVMFFIFunctionCall(original, (TVMFFIAny*)args, num_args, result);
  if (code != 0) return code;
  if (kept) real.TVMFFIObjectDecRef(args[0].v_obj);
  return 0;
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  static int patched;
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(name);
  if (column && !patched && name->size == 15 && memcmp(name->data, "__ffi_convert__", 15) == 0) {
    TVMFFIAny* entry = (TVMFFIAny*)column->data + kTVMFFIMap;
    TVMFFIObjectHandle wrapper;
    patched = 1;
    if (real.TVMFFIFunctionCreate(entry->v_obj, convert, NULL, &wrapper) == 0) entry->v_obj = wrapper;
  }
  return column;
}
