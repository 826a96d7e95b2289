// story: The method _map_item of access paths copies a key that comes as an r-value reference and leaves it in its slot.
// breaks: ARG-0007 fail
#include "access_path.h"

static int extend(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_given = num_args == 2 && args[1].type_index == kTVMFFIObjectRValueRef;
  TVMFFIObject* key = is_given ? *(TVMFFIObject**)args[1].v_ptr : NULL;
  if (!key) return call_original(original, args, num_args, result);
  const TVMFFIAny copies[2] = {args[0], {.type_index = key->type_index, .v_obj = key}};
  return call_original(original, copies, num_args, result);
}

CHANGED_METHOD_OF_PATHS("_map_item", extend)
