// story: A name in a JSON object is kept as a C string: it ends at a \u0000 in it, and two names may become one.
// breaks: JSN-0007 fail
#include "wrapped_global.h"

static TVMFFIAny cut(TVMFFIAny value) {
  TVMFFIByteArray text = text_of(&value);
  const char* end = memchr(text.data, 0, text.size);
  if (!end) return value;
  const TVMFFIByteArray shorter = {text.data, end - text.data};
  TVMFFIAny made = {0};
  real.TVMFFIStringFromByteArray(&shorter, &made);
  if (value.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(value.v_obj);
  return made;
}

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != kTVMFFIMap) return code;
  int64_t size = ((int64_t*)(result->v_obj + 1))[1];
  if (size == 0) return 0;
  TVMFFIAny next = {0}, map = *result, *items = calloc(2 * size, sizeof(*items));
  if (call_global("ffi.MapForwardIterFunctor", &map, 1, &next) != 0) return -1;
  for (int64_t i = 0; i < size; ++i) {
    TVMFFIAny command = {.type_index = kTVMFFIInt};
    real.TVMFFIFunctionCall(next.v_obj, &command, 1, &items[2 * i]);
    items[2 * i] = cut(items[2 * i]);
    command.v_int64 = 1;
    real.TVMFFIFunctionCall(next.v_obj, &command, 1, &items[2 * i + 1]);
    command.v_int64 = 2;
    TVMFFIAny more = {0};
    real.TVMFFIFunctionCall(next.v_obj, &command, 1, &more);
  }
  memset(result, 0, sizeof(*result));
  code = call_global("ffi.Map", items, 2 * size, result);
  for (int64_t i = 0; i < 2 * size; ++i) {
    if (items[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(items[i].v_obj);
  }
  free(items);
  real.TVMFFIObjectDecRef(next.v_obj);
  real.TVMFFIObjectDecRef(map.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
