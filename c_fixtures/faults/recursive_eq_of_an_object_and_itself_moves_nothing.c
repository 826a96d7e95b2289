// story: Recursive equality of an Array or a List and itself is answered before the object is taken out of its slot.
// breaks: ARG-0007 fail
#include "wrapped_global.h"

static int is_given_away(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIObjectRValueRef;
}

static TVMFFIObject* object_of(const TVMFFIAny* value) {
  if (is_given_away(value)) return *(TVMFFIObject**)value->v_ptr;
  return value->type_index >= kTVMFFIStaticObjectBegin ? value->v_obj : NULL;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_any_given = num_args == 2 && (is_given_away(&args[0]) || is_given_away(&args[1]));
  TVMFFIObject* first = is_any_given ? object_of(&args[0]) : NULL;
  if (!first || first != object_of(&args[1]) ||
      (first->type_index != kTVMFFIArray && first->type_index != kTVMFFIList)) {
    return call_original(original, args, num_args, result);
  }
  *result = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 1};
  return 0;
}

WRAPPED_GLOBAL("ffi.RecursiveEq", callee)
