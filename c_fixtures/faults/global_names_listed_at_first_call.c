// story: The function that ffi.FunctionListGlobalNamesFunctor answers takes the names when it is first called, not when it is made.
// breaks: GLB-0021 fail
#include "wrapped_global.h"

struct list { TVMFFIObjectHandle maker, names; };

static void give_back(void* self) {
  struct list* list = self;
  if (list->names) real.TVMFFIObjectDecRef(list->names);
  free(list);
}

static int name(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct list* list = self;
  if (!list->names) {
    TVMFFIAny names = {0};
    int code = real.TVMFFIFunctionCall(list->maker, NULL, 0, &names);
    if (code != 0) return code;
    list->names = names.v_obj;
  }
  return call_original(list->names, args, num_args, result);
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 0) return call_original(original, args, num_args, result);
  struct list* list = calloc(1, sizeof *list);
  list->maker = original;
  memset(result, 0, sizeof *result);
  int code = real.TVMFFIFunctionCreate(list, name, give_back, (TVMFFIObjectHandle*)&result->v_ptr);
  if (code == 0) result->type_index = kTVMFFIFunction;
  return code;
}

WRAPPED_GLOBAL("ffi.FunctionListGlobalNamesFunctor", make)
