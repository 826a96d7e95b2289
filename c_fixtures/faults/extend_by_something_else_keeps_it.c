// story: The method _extend of an access path that is given something else than a step raises an error, and keeps a reference to it.
// breaks: PTH-0008 fail
#include "fault.h"

static TVMFFISafeCallType real_call;

static int extend(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real_call(handle, args, num_args, result);
  if (code != 0 && num_args == 2 && args[1].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(args[1].v_obj);
  return code;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (!info || !is(&info->type_key, "ffi.reflection.AccessPath") || __atomic_load_n(&real_call, __ATOMIC_ACQUIRE)) return info;
  for (int32_t i = 0; i < info->num_methods; ++i) {
    if (!is(&info->methods[i].name, "_extend")) continue;
    TVMFFIFunctionCell* cell = (TVMFFIFunctionCell*)(info->methods[i].method.v_obj + 1);
    TVMFFISafeCallType old = cell->safe_call;
    if (old == extend) continue;
    __atomic_store_n(&real_call, old, __ATOMIC_RELEASE);
    __atomic_store_n(&cell->safe_call, extend, __ATOMIC_RELEASE);
  }
  return info;
}
