// story: AccessPath._to_steps answers the last 64 steps of a longer path.
// breaks: PTH-0004 fail
#include "wrapped_global.h"
#include <pthread.h>
static int to_steps(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0 || sequence_cell(result)->size <= 64) return code;
  TVMFFIAny all = *result;
  TVMFFISeqCell* cell = sequence_cell(&all);
  *result = (TVMFFIAny){0};
  code = call_global("ffi.Array", (TVMFFIAny*)cell->data + cell->size - 64, 64, result);
  real.TVMFFIObjectDecRef(all.v_obj);
  return code;
}
static void patch(void) {
  int32_t index;
  TVMFFIByteArray key = {"ffi.reflection.AccessPath", 25};
  if (real.TVMFFITypeKeyToIndex(&key, &index)) return;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(index);
  for (int i = 0; i < info->num_methods; ++i)
    if (is(&info->methods[i].name, "_to_steps")) {
      TVMFFIAny* m = (TVMFFIAny*)&info->methods[i].method;
      TVMFFIObjectHandle made;
      if (real.TVMFFIFunctionCreate(m->v_obj, to_steps, NULL, &made) == 0) m->v_obj = made;
    }
}
const TVMFFITypeInfo* TVMFFIGetTypeInfo(int32_t type_index) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, patch);
  return real.TVMFFIGetTypeInfo(type_index);
}
