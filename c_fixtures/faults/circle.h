/* Faults that never come out of a circle: `wait_in_a_circle` is the callee. */
#ifndef TVM_FFI_CIRCLE_H_
#define TVM_FFI_CIRCLE_H_

#include <unistd.h>

#include "wrapped_global.h"

static inline int holds_itself(const TVMFFIAny* list) {
  if (list->type_index != kTVMFFIList) return 0;
  const TVMFFIAny* items = sequence_cell(list)->data;
  for (int64_t i = 0; i < sequence_cell(list)->size; ++i) {
    if (items[i].type_index == kTVMFFIList && items[i].v_obj == list->v_obj) return 1;
  }
  return 0;
}

/** Calls the original, unless one of the arguments is a List that contains itself: then it never returns. */
static inline int wait_in_a_circle(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int32_t i = 0; i < num_args; ++i) {
    while (holds_itself(&args[i])) pause();
  }
  return call_original(original, args, num_args, result);
}

#endif /* TVM_FFI_CIRCLE_H_ */
