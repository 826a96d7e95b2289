// story: When a small Dict gets its fifth entry, the first one is moved to the end.
// breaks: DCT-0010 fail
#include "wrapped_global.h"

/* What a Map or a Dict has behind its header. */
struct map_cell {
  TVMFFIAny* data;
  uint64_t size, slots;
  void (*data_deleter)(void*);
};

static struct map_cell* map_cell(const TVMFFIAny* map) { return (struct map_cell*)(map->v_obj + 1); }

static inline int is_small(const struct map_cell* cell) { return (int)(cell->slots >> 63); }

static TVMFFIAny call_global(const char* function, const TVMFFIAny* args, int32_t num_args) {
  const TVMFFIByteArray name = {function, strlen(function)};
  TVMFFIObjectHandle callee = NULL;
  TVMFFIAny result = {.type_index = kTVMFFINone};
  real.TVMFFIFunctionGetGlobal(&name, &callee);
  real.TVMFFIFunctionCall(callee, (TVMFFIAny*)args, num_args, &result);
  real.TVMFFIObjectDecRef(callee);
  return result;
}

static int set_item(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIDict || map_cell(&args[0])->size != 4 ||
      !is_small(map_cell(&args[0])) || call_global("ffi.DictCount", args, 2).v_int64 != 0) {
    return call_original(original, args, num_args, result);
  }
  TVMFFIAny first[3] = {args[0]};
  for (int i = 0; i < 2; ++i) real.TVMFFIAnyViewToOwnedAny(&map_cell(&args[0])->data[i], &first[i + 1]);
  call_global("ffi.DictErase", first, 2);
  int code = call_original(original, args, num_args, result);
  if (code == 0) code = call_original(original, first, 3, result);
  for (int i = 1; i < 3; ++i) {
    if (first[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(first[i].v_obj);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.DictSetItem", set_item)
