/*
 * Faults in how a walk uses its callbacks. `walk_with` calls the walk with another list of callbacks, in which each pair of
 * a type index and a function has been through `change`. The lists of the client stay as they are: threads may share them.
 */
#ifndef TVM_FFI_WALK_CALLBACKS_H_
#define TVM_FFI_WALK_CALLBACKS_H_

#include "wrapped_global.h"

/** The lists of callbacks among the arguments of a walk: of those that take a value alone, and of those that take its region too. */
enum callbacks { OF_VALUES = 1, OF_REGIONS = 2 };

/** Another pair: a function that `change` has put there is given up when the pair holds it. */
static inline TVMFFIAny changed_pair(const TVMFFIAny* given, void (*change)(TVMFFIAny* pair)) {
  const TVMFFIAny* old = sequence_cell(given)->data;
  TVMFFIAny pair[2] = {old[0], old[1]}, made = {0};
  change(pair);
  call_global("ffi.Array", pair, 2, &made);
  if (pair[1].v_obj != old[1].v_obj) real.TVMFFIObjectDecRef(pair[1].v_obj);
  return made;
}

static inline int walk_with(void (*change)(TVMFFIAny* pair), enum callbacks which, void* original,
                            const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 4 || args[which].type_index != kTVMFFIArray) return call_original(original, args, num_args, result);
  const TVMFFISeqCell* given = sequence_cell(&args[which]);
  TVMFFIAny* pairs = calloc((size_t)given->size + 1, sizeof(TVMFFIAny));
  TVMFFIAny changed[4] = {args[0], args[1], args[2], args[3]}, list = {0};
  for (int64_t i = 0; i < given->size; ++i) {
    const TVMFFIAny* pair = (const TVMFFIAny*)given->data + i;
    const int is_pair = pair->type_index == kTVMFFIArray && sequence_cell(pair)->size == 2;
    pairs[i] = is_pair ? changed_pair(pair, change) : *pair;
    if (!is_pair && pair->type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectIncRef(pair->v_obj);
  }
  call_global("ffi.Array", pairs, (int32_t)given->size, &list);
  changed[which] = list;
  int code = call_original(original, changed, num_args, result);
  real.TVMFFIObjectDecRef(list.v_obj);
  for (int64_t i = 0; i < given->size; ++i) {
    if (pairs[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(pairs[i].v_obj);
  }
  free(pairs);
  return code;
}

/** Puts a function in the place of a pair's own, which is its `self`: the client holds it during the walk. */
static inline void wrap_callback(TVMFFIAny* pair, TVMFFISafeCallType call_back) {
  TVMFFIObjectHandle wrapper = NULL;
  if (real.TVMFFIFunctionCreate(pair[1].v_obj, call_back, NULL, &wrapper) == 0) pair[1].v_obj = wrapper;
}

#endif /* TVM_FFI_WALK_CALLBACKS_H_ */
