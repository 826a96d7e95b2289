// story: ffi.MapGetItem takes a String of the same hash for the key that is asked for, without looking at the characters.
// breaks: HSH-0006 fail
#include "text_hash.h"
#include "wrapped_global.h"

static int is_text(const TVMFFIAny* value) {
  return value->type_index == kTVMFFIRawStr || value->type_index == kTVMFFISmallStr || value->type_index == kTVMFFIStr;
}

static int step(TVMFFIObjectHandle walk, int command, TVMFFIAny* out) {
  TVMFFIAny arg = {0};
  arg.type_index = kTVMFFIInt;
  arg.v_int64 = command;
  memset(out, 0, sizeof *out);
  return real.TVMFFIFunctionCall(walk, &arg, 1, out);
}

static int get(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 2 || args[0].type_index != kTVMFFIMap || !is_text(&args[1])) return code;
  uint64_t left = *(uint64_t*)((char*)args[0].v_obj + 32), wanted = hash_of(text_of(&args[1]));
  TVMFFIObjectHandle maker;
  TVMFFIAny walk = {0};
  real.TVMFFIFunctionGetGlobal(&(TVMFFIByteArray){"ffi.MapForwardIterFunctor", 25}, &maker);
  int made = left && real.TVMFFIFunctionCall(maker, (TVMFFIAny*)args, 1, &walk) == 0;
  real.TVMFFIObjectDecRef(maker);
  for (; made && left; --left) {
    TVMFFIAny key, more;
    step(walk.v_obj, 0, &key);
    int found = is_text(&key) && hash_of(text_of(&key)) == wanted;
    if (key.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(key.v_obj);
    if (found) {
      real.TVMFFIErrorSetRaised(NULL);
      code = step(walk.v_obj, 1, result);
      break;
    }
    step(walk.v_obj, 2, &more);
  }
  if (made) real.TVMFFIObjectDecRef(walk.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.MapGetItem", get)
