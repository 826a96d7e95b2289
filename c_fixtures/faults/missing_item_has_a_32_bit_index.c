// story: _array_item_missing keeps 32 bits of the index, unlike _array_item.
// breaks: PTH-0002 fail
#include "fault.h"

static TVMFFISafeCallType real_call;

static int missing(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIInt) return real_call(handle, args, num_args, result);
  TVMFFIAny changed[2] = {args[0], args[1]};
  changed[1].v_int64 = (int32_t)changed[1].v_int64;
  return real_call(handle, changed, num_args, result);
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (!info || !is(&info->type_key, "ffi.reflection.AccessPath") || __atomic_load_n(&real_call, __ATOMIC_ACQUIRE)) return info;
  for (int32_t i = 0; i < info->num_methods; ++i) {
    if (!is(&info->methods[i].name, "_array_item_missing")) continue;
    TVMFFIFunctionCell* cell = (TVMFFIFunctionCell*)(info->methods[i].method.v_obj + 1);
    TVMFFISafeCallType old = cell->safe_call;
    if (old == missing) continue;
    __atomic_store_n(&real_call, old, __ATOMIC_RELEASE);
    __atomic_store_n(&cell->safe_call, missing, __ATOMIC_RELEASE);
  }
  return info;
}
