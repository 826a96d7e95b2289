// story: A Dict look-up by a C string remembers the text by its address, and takes another text at the same address for the same key.
// breaks: DCT-0006 fail
#include "wrapped_global.h"

static _Thread_local const char* address;
static _Thread_local void* dict;
static _Thread_local char text[256];

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[0].type_index != kTVMFFIDict || args[1].type_index != kTVMFFIRawStr || strlen(args[1].v_c_str) >= sizeof(text))
    return call_original(original, args, num_args, result);
  TVMFFIAny known[2] = {args[0], args[1]};
  if (address == args[1].v_c_str && dict == args[0].v_obj) {
    known[1].v_c_str = text;
  } else {
    strcpy(text, args[1].v_c_str);
    address = args[1].v_c_str;
    dict = args[0].v_obj;
  }
  return call_original(original, known, num_args, result);
}

WRAPPED_GLOBAL("ffi.DictGetItem", get)
