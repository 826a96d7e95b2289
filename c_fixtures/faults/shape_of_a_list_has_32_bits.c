// story: The converter of ffi.Shape makes the extents of a List 32-bit integers on the way; those of an Array are right.
// breaks: INS-0014 fail
#include "fault.h"

static TVMFFISafeCallType converter;

static int convert(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = converter(handle, args, num_args, result);
  if (code != 0 || args[0].type_index != kTVMFFIList) return code;
  TVMFFIShapeCell* cell = (TVMFFIShapeCell*)(result->v_obj + 1);
  for (size_t i = 0; i < cell->size; ++i) ((int64_t*)cell->data)[i] = (int32_t)cell->data[i];
  return 0;
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(name);
  if (column && is(name, "__ffi_convert__") && !__atomic_load_n(&converter, __ATOMIC_ACQUIRE)) {
    TVMFFIFunctionCell* cell = (TVMFFIFunctionCell*)(column->data[kTVMFFIShape - column->begin_index].v_obj + 1);
    TVMFFISafeCallType old = cell->safe_call;
    if (old != convert) {
      __atomic_store_n(&converter, old, __ATOMIC_RELEASE);
      __atomic_store_n(&cell->safe_call, convert, __ATOMIC_RELEASE);
    }
  }
  return column;
}
