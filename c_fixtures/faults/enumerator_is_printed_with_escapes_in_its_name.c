// story: ffi.ReprPrint writes the name of an enumerator by way of the printer of Strings and takes the quotes off: characters that a String escapes are escaped in it.
// breaks: ENU-0005 fail
#include "wrapped_global.h"

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index < kTVMFFIDynObjectBegin) return call_original(original, args, num_args, result);
  const TVMFFIByteArray key = {"ffi.Enum", 8};
  int32_t base = 0;
  real.TVMFFITypeKeyToIndex(&key, &base);
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(args[0].type_index);
  int below = 0;
  for (int32_t i = 0; i < info->type_depth; ++i) below |= info->type_ancestors[i]->type_index == base;
  if (!below) return call_original(original, args, num_args, result);
  TVMFFIAny name = *(const TVMFFIAny*)((const char*)args[0].v_obj + 32), printed = {0};
  int code = call_original(original, &name, 1, &printed);
  if (code != 0) return code;
  const TVMFFIByteArray text = text_of(&printed);
  char* whole = malloc(info->type_key.size + text.size + 1);
  memcpy(whole, info->type_key.data, info->type_key.size);
  whole[info->type_key.size] = '.';
  memcpy(whole + info->type_key.size + 1, text.data + 1, text.size - 2);
  const TVMFFIByteArray bytes = {whole, info->type_key.size + text.size - 1};
  code = real.TVMFFIStringFromByteArray(&bytes, result);
  free(whole);
  if (printed.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(printed.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
