// story: The search for a device goes round and round in a List that contains itself.
// breaks: CNT-0006 timeout
#include "wrapped_global.h"

#include <unistd.h>

static int holds_itself(const TVMFFIAny* list) {
  if (list->type_index != kTVMFFIList) return 0;
  const TVMFFIAny* items = sequence_cell(list)->data;
  for (int64_t i = 0; i < sequence_cell(list)->size; ++i) {
    if (items[i].type_index == kTVMFFIList && items[i].v_obj == list->v_obj) return 1;
  }
  return 0;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  for (int32_t i = 0; i < num_args; ++i) {
    while (holds_itself(&args[i])) pause();
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBAL("ffi.ContainerFindFirstNonCPUDevice", callee)
