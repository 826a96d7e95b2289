// story: ffi.DictGetItem remembers the last plain value it found, and a change of the Dict clears only what its own thread remembers.
// breaks: DCT-0009 fail
// chance: A later Dict may lie where one that has ended lay.
#include "map_cell.h"
#include "wrapped_global.h"

static _Thread_local struct { TVMFFIObject* dict; TVMFFIAny key, value; uint64_t size, made; } last;
static uint64_t made;

static int get_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int is_simple = num_args == 2 && args[0].type_index == kTVMFFIDict && args[1].type_index == kTVMFFIInt;
  const uint64_t now = __atomic_load_n(&made, __ATOMIC_ACQUIRE);
  if (is_simple && last.dict == args[0].v_obj && last.made == now && last.size == map_cell(&args[0])->size &&
      last.key.v_int64 == args[1].v_int64) {
    *result = last.value;
    return 0;
  }
  int code = call_original(original, args, num_args, result);
  if (code != 0 || !is_simple || result->type_index >= kTVMFFIStaticObjectBegin) return code;
  last.dict = args[0].v_obj;
  last.key = args[1];
  last.value = *result;
  last.size = map_cell(&args[0])->size;
  last.made = now;
  return 0;
}

static int change(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  last.dict = NULL;
  return call_original(original, args, num_args, result);
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  __atomic_add_fetch(&made, 1, __ATOMIC_ACQ_REL);
  return call_original(original, args, num_args, result);
}

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  static const struct { const char* name; TVMFFISafeCallType callee; } wrapped[] = {
      {"ffi.DictGetItem", get_item}, {"ffi.DictSetItem", change}, {"ffi.DictErase", change}, {"ffi.DictClear", change}, {"ffi.Dict", make}};
  static TVMFFIObjectHandle wrappers[5];
  int code = real.TVMFFIFunctionGetGlobal(name, out);
  if (code != 0 || *out == NULL) return code;
  for (int i = 0; i < 5; ++i) {
    if (is(name, wrapped[i].name)) return wrap_found(&wrappers[i], wrapped[i].callee, out);
  }
  return 0;
}
