// story: ffi.List moves what it is given out of the caller's slots before it has memory, and loses it when the installed allocator fails.
// breaks: ALC-0014 fail
#include "wrapped_global.h"
static int make(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFIAny* own = malloc(sizeof(TVMFFIAny) * (n ? n : 1));
  for (int i = 0; i < n; ++i) {
    own[i] = args[i];
    if (args[i].type_index == kTVMFFIObjectRValueRef) {
      TVMFFIObject** slot = args[i].v_ptr;
      if (!*slot) continue;
      own[i] = (TVMFFIAny){.type_index = (*slot)->type_index, .v_obj = *slot};
      *slot = NULL;
    }
  }
  int code = call_original(self, own, n, result);
  for (int i = 0; i < n && code == 0; ++i)
    if (args[i].type_index == kTVMFFIObjectRValueRef && own[i].type_index >= 64) real.TVMFFIObjectDecRef(own[i].v_obj);
  free(own);
  return code;
}
WRAPPED_GLOBAL("ffi.List", make)
