// story: _path_equal compares keys word by word first: a text of up to seven bytes is not equal to the same one as a String object.
// breaks: PTH-0006 fail
#include "fault.h"

static TVMFFISafeCallType real_call;

static int form_differs(TVMFFIObject* a, TVMFFIObject* b) {
  while (a && b) {
    TVMFFIObject* x = ((TVMFFIObject**)(a + 1))[1];
    TVMFFIObject* y = ((TVMFFIObject**)(b + 1))[1];
    if (x && y && ((TVMFFIAny*)((char*)x + 32))->type_index != ((TVMFFIAny*)((char*)y + 32))->type_index) return 1;
    a = ((TVMFFIObject**)(a + 1))[0];
    b = ((TVMFFIObject**)(b + 1))[0];
  }
  return 0;
}

static int equal(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real_call(handle, args, num_args, result);
  if (code == 0 && result->v_int64 && form_differs(args[0].v_obj, args[1].v_obj)) result->v_int64 = 0;
  return code;
}

const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(type_index);
  if (!info || !is(&info->type_key, "ffi.reflection.AccessPath") || __atomic_load_n(&real_call, __ATOMIC_ACQUIRE)) return info;
  for (int32_t i = 0; i < info->num_methods; ++i) {
    if (!is(&info->methods[i].name, "_path_equal")) continue;
    TVMFFIFunctionCell* cell = (TVMFFIFunctionCell*)(info->methods[i].method.v_obj + 1);
    TVMFFISafeCallType old = cell->safe_call;
    if (old == equal) continue;
    __atomic_store_n(&real_call, old, __ATOMIC_RELEASE);
    __atomic_store_n(&cell->safe_call, equal, __ATOMIC_RELEASE);
  }
  return info;
}
