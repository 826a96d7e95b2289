// story: Of what a function in __ffi_compare__ answers, eight bits are looked at: 256 counts as equal, 200 as less.
// breaks: HOK-0005 fail
#include "fault.h"

static int compare(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = real.TVMFFIFunctionCall(original, (TVMFFIAny*)args, num_args, result);
  if (code == 0 && result->type_index == kTVMFFIInt) result->v_int64 = (int8_t)result->v_int64;
  return code;
}

static void end(void* original) { real.TVMFFIObjectDecRef(original); }

int TVMFFITypeRegisterAttr(int32_t type_index, const TVMFFIByteArray* attr_name, const TVMFFIAny* attr_value) {
  if (type_index < kTVMFFIDynObjectBegin || !is(attr_name, "__ffi_compare__") || !attr_value ||
      attr_value->type_index != kTVMFFIFunction) {
    return real.TVMFFITypeRegisterAttr(type_index, attr_name, attr_value);
  }
  TVMFFIAny wrapper = {.type_index = kTVMFFIFunction};
  TVMFFIObjectHandle made = NULL;
  real.TVMFFIObjectIncRef(attr_value->v_obj);
  int code = real.TVMFFIFunctionCreate(attr_value->v_obj, compare, end, &made);
  if (code != 0) return code;
  wrapper.v_obj = made;
  code = real.TVMFFITypeRegisterAttr(type_index, attr_name, &wrapper);
  real.TVMFFIObjectDecRef(made);
  return code;
}
