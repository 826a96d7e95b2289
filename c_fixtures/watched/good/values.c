// story: Values of every kind as arguments and results, r-value references too, in many arguments at once and many calls deep.
#include "../client.h"

CALLBACK(last) {
  if (num_args == 0) return 0;
  TVMFFIAny value = args[num_args - 1];
  if (value.type_index == kTVMFFIObjectRValueRef) {
    TVMFFIObject** slot = value.v_ptr;
    *result = object(*slot);
    *slot = NULL;
    return 0;
  }
  return TVMFFIAnyViewToOwnedAny(&value, result);
}

static TVMFFIObjectHandle deep;

CALLBACK(goes_deeper) {
  if (args[0].v_int64 == 0) return 0;
  TVMFFIAny next = integer(args[0].v_int64 - 1);
  return TVMFFIFunctionCall(deep, &next, 1, result);
}

static OUT_OF_LINE void round_of(TVMFFIObjectHandle f) {
  TVMFFIByteArray content = bytes(LONG_TEXT);
  DLTensor described = {.data = NULL, .device = {kDLCPU, 0}, .ndim = 0, .dtype = {kDLFloat, 32, 1}};
  float element = 0;
  described.data = &element;
  TVMFFIObjectHandle moved = string(LONG_TEXT);
  TVMFFIAny values[] = {none(),
                        integer(-1),
                        {.type_index = kTVMFFIBool, .v_int64 = 1},
                        {.type_index = kTVMFFIFloat, .v_float64 = -0.0},
                        {.type_index = kTVMFFIOpaquePtr, .v_ptr = NULL},
                        {.type_index = kTVMFFIDevice, .v_device = {kDLCPU, -1}},
                        {.type_index = kTVMFFIRawStr, .v_c_str = ""},
                        {.type_index = kTVMFFIByteArrayPtr, .v_ptr = &content},
                        {.type_index = kTVMFFISmallStr, .small_str_len = 3},
                        {.type_index = kTVMFFISmallBytes, .small_str_len = 7},
                        {.type_index = kTVMFFIDataType},
                        {.type_index = kTVMFFIObjectRValueRef, .v_ptr = &moved}};
  memcpy(values[8].v_bytes, "abc", 3);
  memcpy(values[9].v_bytes, "a\0b\0c\0d", 7);
  values[10].v_dtype = (DLDataType){kDLFloat, 32, 4};
  for (int i = 0; i < 12; ++i) {
    TVMFFIAny result = none();
    must(TVMFFIFunctionCall(f, &values[i], 1, &result));
    if (result.type_index >= kTVMFFIStaticObjectBegin) release(result.v_obj);
  }
  TVMFFIAny many[40], result = none();
  for (int i = 0; i < 40; ++i) many[i] = integer(i);
  must(TVMFFIFunctionCall(f, many, 40, &result));
  result = (TVMFFIAny){.type_index = kTVMFFIDLTensorPtr, .v_ptr = &described};
  many[0] = result;
  result = none();
  must(TVMFFIFunctionCall(f, many, 2, &result));
}

int main(void) {
  TVMFFIObjectHandle f = function(last);
  for (int i = 0; i < 200; ++i) round_of(f);
  deep = function(goes_deeper);
  TVMFFIAny argument = integer(500), result = none();
  must(TVMFFIFunctionCall(deep, &argument, 1, &result));
  release(deep);
  release(f);
  return 0;
}
