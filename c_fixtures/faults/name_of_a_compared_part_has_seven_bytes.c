// story: The name that a function in __s_equal__ gives to a part is kept in the small form: of a longer one, a mismatch tells the first seven bytes.
// breaks: HOK-0002 fail
#include "hook_registration.h"

static int compare_part(void* compare, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny given[4];
  if (num_args != 4 || text_of(&args[3]).size <= 7) return call_original(compare, args, num_args, result);
  memcpy(given, args, sizeof(given));
  given[3] = (TVMFFIAny){.type_index = kTVMFFISmallStr, .small_str_len = 7};
  memcpy(given[3].v_bytes, text_of(&args[3]).data, 7);
  return call_original(compare, given, 4, result);
}

static int call_hook(void* hook, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIObjectHandle compare = NULL;
  if (num_args != 3 || args[2].type_index != kTVMFFIFunction) return call_original(hook, args, num_args, result);
  real.TVMFFIObjectIncRef(args[2].v_obj);
  if (real.TVMFFIFunctionCreate(args[2].v_obj, compare_part, end_hook, &compare) != 0) return -1;
  TVMFFIAny given[3] = {args[0], args[1], {.type_index = kTVMFFIFunction, .v_obj = compare}};
  int code = call_original(hook, given, 3, result);
  real.TVMFFIObjectDecRef(compare);
  return code;
}

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (!is(attr_name, "__s_equal__") || !attr_value) return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  return wrapped_hook(type_index, attr_name, attr_value, call_hook);
}
