// story: ffi.DeepCopy of an Array of more than eight elements copies it in chunks of eight, each with a memo of its own, so that what occurs in two chunks becomes two objects.
// breaks: REC-0017 fail
#include "wrapped_global.h"

enum { CHUNK = 8 };

static void give_up(const TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value->v_obj);
}

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIArray || sequence_cell(&args[0])->size <= CHUNK) {
    return call_original(original, args, num_args, result);
  }
  const int32_t size = (int32_t)sequence_cell(&args[0])->size;
  const TVMFFIAny* items = sequence_cell(&args[0])->data;
  TVMFFIAny* copies = calloc((size_t)size, sizeof(TVMFFIAny));
  int code = 0;
  for (int32_t at = 0; at < size && code == 0; at += CHUNK) {
    const int32_t count = size - at < CHUNK ? size - at : CHUNK;
    TVMFFIAny chunk = {0}, copied = {0};
    code = call_global("ffi.Array", items + at, count, &chunk);
    if (code == 0) code = call_original(original, &chunk, 1, &copied);
    for (int32_t i = 0; code == 0 && i < count; ++i) {
      copies[at + i] = ((const TVMFFIAny*)sequence_cell(&copied)->data)[i];
      if (copies[at + i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(copies[at + i].v_obj);
    }
    give_up(&chunk);
    give_up(&copied);
  }
  if (code == 0) code = call_global("ffi.Array", copies, size, result);
  for (int32_t i = 0; i < size; ++i) give_up(&copies[i]);
  free(copies);
  return code;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
