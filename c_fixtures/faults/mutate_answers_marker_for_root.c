// story: ffi.StructuralMutate answers the marker of an unchanged value as it came from the callback if that was called with the whole value.
// breaks: VIS-0033 fail
#include "wrapped_global.h"
static __thread struct call { struct call* outer; TVMFFIAny root; int marked; }* now;
static int call_back(void* callback, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  struct call* own = now;
  int code = call_original(callback, args, num_args, result);
  if (code == 0 && own && num_args > 0 && memcmp(&args[0], &own->root, sizeof(args[0])) == 0) {
    own->marked = result->type_index == kTVMFFIUnchanged;
  }
  return code;
}
static int mutate(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIArray || sequence_cell(&args[1])->size > 8 ||
      args[0].type_index < kTVMFFIStaticObjectBegin) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFISeqCell* given = sequence_cell(&args[1]);
  TVMFFIAny entries[8], list = {0}, changed[2] = {args[0], {0}};
  for (int64_t i = 0; i < given->size; ++i) {
    const TVMFFIAny* entry = (const TVMFFIAny*)given->data + i;
    const TVMFFISeqCell* old = entry->type_index == kTVMFFIArray ? sequence_cell(entry) : NULL;
    const TVMFFIAny* parts = old ? old->data : NULL;
    entries[i] = *entry;
    if (old && old->size == 3 && parts[1].type_index == kTVMFFIFunction) {
      TVMFFIObjectHandle wrapper = NULL;
      real.TVMFFIFunctionCreate(parts[1].v_obj, call_back, NULL, &wrapper);
      TVMFFIAny other[3] = {parts[0], {.type_index = kTVMFFIFunction, .v_obj = wrapper}, parts[2]};
      entries[i] = (TVMFFIAny){0};
      call_global("ffi.Array", other, 3, &entries[i]);
      real.TVMFFIObjectDecRef(wrapper);
    } else if (entry->type_index >= kTVMFFIStaticObjectBegin) {
      real.TVMFFIObjectIncRef(entry->v_obj);
    }
  }
  call_global("ffi.Array", entries, (int32_t)given->size, &list);
  changed[1] = list;
  struct call own = {now, args[0], 0};
  now = &own;
  int code = call_original(original, changed, 2, result);
  now = own.outer;
  real.TVMFFIObjectDecRef(list.v_obj);
  for (int64_t i = 0; i < given->size; ++i) {
    if (entries[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(entries[i].v_obj);
  }
  if (code == 0 && own.marked && result->type_index >= kTVMFFIStaticObjectBegin) {
    real.TVMFFIObjectDecRef(result->v_obj);
    *result = (TVMFFIAny){.type_index = kTVMFFIUnchanged};
  }
  return code;
}
WRAPPED_GLOBAL("ffi.StructuralMutate", mutate)
