// story: ffi.VisitErrorContext.FindAccessPaths looks for the objects of a context below the root and not at the root: a context of it alone has no path.
// breaks: VIS-0039 fail
#include "wrapped_global.h"

static int find(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIByteArray key = {"ffi.VisitErrorContext", 21};
  int32_t type_index = -1;
  if (num_args != 3 || real.TVMFFITypeKeyToIndex(&key, &type_index) != 0 || args[1].type_index != type_index) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFIObject* list = *(TVMFFIObject**)(args[1].v_obj + 1);
  if (!list) return call_original(original, args, num_args, result);
  const TVMFFISeqCell* cell = (const TVMFFISeqCell*)(list + 1);
  int64_t at = 0;
  while (at < cell->size && ((TVMFFIAny*)cell->data)[at].v_obj == args[0].v_obj) ++at;
  if (at == 0 || at < cell->size) return call_original(original, args, num_args, result);
  return call_global("ffi.Array", NULL, 0, result);
}

WRAPPED_GLOBAL("ffi.VisitErrorContext.FindAccessPaths", find)
