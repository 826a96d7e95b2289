// story: A mutation finds out once, of the whole, whether it is nobody else's, and tells callbacks that of parts that others hold, too.
// breaks: VIS-0052 fail
#include "told_in_place.h"

static int mutate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_given = num_args == 2 && args[0].type_index == kTVMFFIObjectRValueRef;
  const TVMFFIObject* whole = is_given ? *(TVMFFIObject**)args[0].v_ptr : NULL;
  const int is_alone = whole && whole->combined_ref_count == (UINT64_C(1) << 32 | 1);
  return (is_alone ? mutate_telling_yes : call_original)(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralMutate", mutate)
