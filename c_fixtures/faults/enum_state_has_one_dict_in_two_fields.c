// story: The initialiser of ffi.EnumState makes one empty Dict and puts it into both `indexes` and `attrs`.
// breaks: INS-0017 fail
#include "fault.h"

static TVMFFISafeCallType real_init;

static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real_init(handle, args, num_args, result);
  if (code != 0) return code;
  TVMFFIObject** fields = (TVMFFIObject**)(result->v_obj + 1);
  real.TVMFFIObjectDecRef(fields[2]);
  fields[2] = fields[1];
  real.TVMFFIObjectIncRef(fields[1]);
  return 0;
}

static void patch(void) {
  if (__atomic_load_n(&real_init, __ATOMIC_ACQUIRE)) return;
  const TVMFFIByteArray key = {"ffi.EnumState", 13}, name = {"__ffi_init__", 12};
  int32_t index = 0;
  if (real.TVMFFITypeKeyToIndex(&key, &index) != 0) return;
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  TVMFFIFunctionCell* cell = (TVMFFIFunctionCell*)(column->data[index - column->begin_index].v_obj + 1);
  TVMFFISafeCallType old = cell->safe_call;
  if (old == init) return;
  __atomic_store_n(&real_init, old, __ATOMIC_RELEASE);
  __atomic_store_n(&cell->safe_call, init, __ATOMIC_RELEASE);
}

const TVMFFITypeAttrColumn* TVMFFIGetTypeAttrColumn(const TVMFFIByteArray* name) {
  patch();
  return real.TVMFFIGetTypeAttrColumn(name);
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  patch();
  return real.TVMFFIGetTypeInfo(type_index);
}
