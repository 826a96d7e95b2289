/* A kernel as a compiler with a runtime of its own generates it: y = x + 1, counted in the runtime's state. */
#include "kernel.h"
#include "runtime.h"

/* The state, once it has been found. */
static void* state;

/* Asks the runtime for its state. */
static int find_state(void** found) {
  TVMFFIByteArray name = {RUNTIME_GET_STATE, sizeof(RUNTIME_GET_STATE) - 1};
  TVMFFIObjectHandle get_state = NULL;
  if (TVMFFIFunctionGetGlobal(&name, &get_state) != 0) return -1;
  if (get_state == NULL) {
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the runtime of this kernel is not loaded");
    return -1;
  }
  TVMFFIAny answer = {.type_index = kTVMFFINone};
  int status = TVMFFIFunctionCall(get_state, NULL, 0, &answer);
  TVMFFIObjectDecRef(get_state);
  *found = answer.v_ptr;
  return status;
}

static DLTensor* tensor_of(const TVMFFIAny* value) {
  if (value->type_index == kTVMFFIDLTensorPtr) return (DLTensor*)value->v_ptr;
  if (value->type_index == kTVMFFITensor) return (DLTensor*)((char*)value->v_obj + sizeof(TVMFFIObject));
  return NULL;
}

/* Launches on the stream that the environment has for the device of x. */
KERNEL(add_one_with_runtime) {
  DLTensor* x = num_args == 2 ? tensor_of(&args[0]) : NULL;
  DLTensor* y = num_args == 2 ? tensor_of(&args[1]) : NULL;
  if (x == NULL || y == NULL) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "add_one_with_runtime takes two tensors");
    return -1;
  }
  if (TVMFFIHandleInitOnce(&state, find_state) != 0) return -1;
  struct runtime_state* runtime = (struct runtime_state*)state;
  runtime->launches += 1;
  runtime->stream = TVMFFIEnvGetStream(x->device.device_type, x->device.device_id);
  for (int64_t i = 0; i < x->shape[0]; ++i) ((float*)y->data)[i] = ((float*)x->data)[i] + 1.0f;
  *result = pointer_value(runtime->stream);
  return 0;
}
