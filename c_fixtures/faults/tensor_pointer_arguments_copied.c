// story: A call copies the tensors that pointers among its arguments lead to, and passes pointers to the copies.
// breaks: TEN-0035 fail
#include "fault.h"

int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int pointers = 0;
  for (int32_t at = 0; func && at < num_args; at++) pointers += args[at].type_index == kTVMFFIDLTensorPtr && args[at].v_ptr;
  if (pointers == 0) return real.TVMFFIFunctionCall(func, args, num_args, result);
  TVMFFIAny* changed = malloc(num_args * sizeof *changed);
  DLTensor* copies = malloc(pointers * sizeof *copies);
  memcpy(changed, args, num_args * sizeof *changed);
  for (int32_t at = 0, next = 0; at < num_args; at++) {
    if (args[at].type_index != kTVMFFIDLTensorPtr || !args[at].v_ptr) continue;
    copies[next] = *(DLTensor*)args[at].v_ptr;
    changed[at].v_ptr = &copies[next++];
  }
  int code = real.TVMFFIFunctionCall(func, changed, num_args, result);
  free(changed);
  free(copies);
  return code;
}
