// story: A call takes the objects out of r-value references among its arguments before it comes to the callee, which meets plain objects, and empty slots behind.
// breaks: FUN-0007 fail
#include "fault.h"

/** The object that the argument moves, if it does. */
static TVMFFIObject* moved(const TVMFFIAny* argument) {
  return argument->type_index == kTVMFFIObjectRValueRef && argument->v_ptr ? *(TVMFFIObject**)argument->v_ptr : NULL;
}

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int32_t i = 0;
  while (i < num_args && !moved(&args[i])) ++i;
  if (i >= num_args) return real.TVMFFIFunctionCall(func, args, num_args, result);
  TVMFFIAny* own = malloc((size_t)num_args * sizeof(TVMFFIAny));
  for (i = 0; i < num_args; ++i) {
    TVMFFIObject* object = moved(&args[i]);
    own[i] = object ? (TVMFFIAny){.type_index = object->type_index, .v_obj = object} : args[i];
    if (object) *(TVMFFIObject**)args[i].v_ptr = NULL;
  }
  int code = real.TVMFFIFunctionCall(func, own, num_args, result);
  for (i = 0; i < num_args; ++i) {
    if (own[i].type_index != args[i].type_index) real.TVMFFIObjectDecRef(own[i].v_obj);
  }
  free(own);
  return code;
}
