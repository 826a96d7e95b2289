// story: A deep copy of a Dict or a Map has copies of the values, but the very keys: a List among them is shared.
// breaks: REC-0016 fail
#include "wrapped_global.h"

static int read(const TVMFFIAny* mapping, int64_t size, int64_t what, TVMFFIAny* items) {
  TVMFFIAny next = {0};
  if (call_global(mapping->type_index == kTVMFFIDict ? "ffi.DictForwardIterFunctor" : "ffi.MapForwardIterFunctor", mapping, 1, &next) != 0) return -1;
  for (int64_t i = 0; i < size; ++i) {
    TVMFFIAny command = {.type_index = kTVMFFIInt}, more = {0};
    command.v_int64 = what;
    real.TVMFFIFunctionCall(next.v_obj, &command, 1, &items[2 * i + what]);
    command.v_int64 = 2;
    real.TVMFFIFunctionCall(next.v_obj, &command, 1, &more);
  }
  real.TVMFFIObjectDecRef(next.v_obj);
  return 0;
}

static int copy(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || result->type_index != args[0].type_index) return code;
  if (result->type_index != kTVMFFIDict && result->type_index != kTVMFFIMap) return 0;
  int64_t size = ((int64_t*)(result->v_obj + 1))[1], lists = 0;
  if (size == 0 || result->v_obj == args[0].v_obj) return 0;
  TVMFFIAny* items = calloc(2 * size, sizeof(*items));
  read(&args[0], size, 0, items);
  read(result, size, 1, items);
  for (int64_t i = 0; i < size; ++i) lists |= items[2 * i].type_index == kTVMFFIList;
  if (lists) {
    TVMFFIAny made = {0};
    code = call_global(result->type_index == kTVMFFIDict ? "ffi.Dict" : "ffi.Map", items, 2 * size, &made);
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = made;
  }
  for (int64_t i = 0; i < 2 * size; ++i) {
    if (items[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(items[i].v_obj);
  }
  free(items);
  return code;
}

WRAPPED_GLOBAL("ffi.DeepCopy", copy)
