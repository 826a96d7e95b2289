// story: Of a type that has no function in __s_equal__, ffi.StructuralEqual asks that of the nearest ancestor that has one.
// breaks: HSH-0019 fail
#include "wrapped_global.h"

static TVMFFIAny hook_of(int32_t type_index) {
  const TVMFFIByteArray name = {"__s_equal__", strlen("__s_equal__")};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  int is_there = column && type_index >= column->begin_index && type_index - column->begin_index < column->size;
  return is_there ? column->data[type_index - column->begin_index] : (TVMFFIAny){.type_index = kTVMFFINone};
}

static int compare_part(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny given[4] = {args[0], args[1], {.type_index = kTVMFFIBool}, {.type_index = kTVMFFIBool}};
  return call_original(original, given, 4, result);
}

static int structural_equal(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int are_alike = num_args == 4 && args[0].type_index == args[1].type_index && args[0].type_index >= kTVMFFIDynObjectBegin;
  if (!are_alike || hook_of(args[0].type_index).type_index != kTVMFFINone) return call_original(original, args, num_args, result);
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(args[0].type_index);
  for (int32_t depth = info->type_depth; depth-- > 0;) {
    TVMFFIAny hook = hook_of(info->type_ancestors[depth]->type_index);
    if (hook.type_index != kTVMFFIFunction) continue;
    TVMFFIObjectHandle compare = NULL;
    if (real.TVMFFIFunctionCreate(original, compare_part, NULL, &compare) != 0) return -1;
    TVMFFIAny given[3] = {args[0], args[1], {.type_index = kTVMFFIFunction, .v_obj = compare}};
    int code = call_original(hook.v_obj, given, 3, result);
    real.TVMFFIObjectDecRef(compare);
    return code;
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.StructuralEqual", structural_equal)
