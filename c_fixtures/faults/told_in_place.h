/*
 * Faults in what callbacks of a mutation are told: that they may change a value in place. `mutate_telling_yes` calls the mutation
 * with a list of callbacks in which those that ask are told so of each value.
 */
#ifndef TVM_FFI_TOLD_IN_PLACE_H_
#define TVM_FFI_TOLD_IN_PLACE_H_

#include "wrapped_global.h"

static inline int tell_yes(void* callback, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3) return call_original(callback, args, num_args, result);
  TVMFFIAny told[3] = {args[0], args[1], args[2]};
  told[2].v_int64 = 1;
  return call_original(callback, told, 3, result);
}

static inline int mutate_telling_yes(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 2 || args[1].type_index != kTVMFFIArray || sequence_cell(&args[1])->size > 8) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFISeqCell* given = sequence_cell(&args[1]);
  TVMFFIAny entries[8], list = {0}, changed[2] = {args[0], {0}};
  for (int64_t i = 0; i < given->size; ++i) {
    const TVMFFIAny* entry = (const TVMFFIAny*)given->data + i;
    const TVMFFIAny* old = entry->type_index == kTVMFFIArray ? sequence_cell(entry)->data : NULL;
    TVMFFIObjectHandle wrapper = NULL;
    entries[i] = *entry;
    if (old && sequence_cell(entry)->size == 3 && old[1].type_index == kTVMFFIFunction && old[2].v_int64 == 1) {
      real.TVMFFIFunctionCreate(old[1].v_obj, tell_yes, NULL, &wrapper);
      TVMFFIAny triple[3] = {old[0], {.type_index = kTVMFFIFunction, .v_obj = wrapper}, old[2]};
      entries[i] = (TVMFFIAny){0};
      call_global("ffi.Array", triple, 3, &entries[i]);
      real.TVMFFIObjectDecRef(wrapper);
    } else if (entry->type_index >= kTVMFFIStaticObjectBegin) {
      real.TVMFFIObjectIncRef(entry->v_obj);
    }
  }
  call_global("ffi.Array", entries, (int32_t)given->size, &list);
  changed[1] = list;
  int code = call_original(original, changed, 2, result);
  real.TVMFFIObjectDecRef(list.v_obj);
  for (int64_t i = 0; i < given->size; ++i) {
    if (entries[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(entries[i].v_obj);
  }
  return code;
}

#endif /* TVM_FFI_TOLD_IN_PLACE_H_ */
