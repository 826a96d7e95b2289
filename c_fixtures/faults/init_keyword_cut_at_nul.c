// story: A generated initialiser reads the names of keyword arguments as C strings, so an unknown name that goes on behind a NUL is taken for the field of its beginning.
// breaks: DCL-0009 fail
#include "wrapped_global.h"

static int init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIAny kwargs = {0};
  if (call_global("ffi.GetKwargsObject", NULL, 0, &kwargs) != 0) return -1;
  /* The library keeps this object. */
  real.TVMFFIObjectDecRef(kwargs.v_obj);
  TVMFFIAny copy[num_args + 1];
  if (num_args) memcpy(copy, args, num_args * sizeof *args);
  int at = 0;
  while (at < num_args && copy[at].v_obj != kwargs.v_obj) ++at;
  for (int i = at + 1; i < num_args; i += 2) {
    if (copy[i].type_index == kTVMFFISmallStr) {
      size_t size = strnlen(copy[i].v_bytes, copy[i].small_str_len);
      memset(copy[i].v_bytes + size, 0, 8 - size);
      copy[i].small_str_len = size;
    } else if (copy[i].type_index == kTVMFFIStr) {
      const char* text = ((TVMFFIByteArray*)(copy[i].v_obj + 1))->data;
      copy[i] = (TVMFFIAny){0};
      copy[i].type_index = kTVMFFIRawStr;
      copy[i].v_c_str = text;
    }
  }
  return call_original(original, copy, num_args, result);
}

static int make_init(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&(TVMFFIByteArray){"__ffi_init__", 12});
  TVMFFIAny* entry = (TVMFFIAny*)&column->data[args[0].v_int64 - column->begin_index];
  if (entry->type_index != kTVMFFIFunction) return code;
  TVMFFIObjectHandle wrapper;
  real.TVMFFIFunctionCreate(entry->v_obj, init, NULL, &wrapper);
  entry->v_obj = wrapper;
  return code;
}

WRAPPED_GLOBAL("ffi._RegisterFFIInit", make_init)
