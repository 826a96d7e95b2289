#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

/* Calls a global function; ends the program if there is none of that name. */
static int call(const char* name, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  if (TVMFFIFunctionGetGlobal(&text, &function) != 0 || function == NULL) exit(2);
  int code = TVMFFIFunctionCall(function, (TVMFFIAny*)args, count, result);
  TVMFFIObjectDecRef(function);
  return code;
}

static void nothing(DLManagedTensorVersioned* self) { (void)self; }

static TVMFFIObjectHandle tensor(float* data, uint64_t offset) {
  static int64_t shape[1] = {2}, strides[1] = {1};
  DLManagedTensorVersioned* managed = calloc(1, sizeof *managed);
  managed->version.major = 1;
  managed->deleter = nothing;
  managed->dl_tensor = (DLTensor){data, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, strides, offset};
  TVMFFIObjectHandle out = NULL;
  if (TVMFFITensorFromDLPackVersioned(managed, 0, 0, &out) != 0) exit(2);
  return out;
}

int main(void) {
  static float numbers[4] = {1, 2, 3, 4};
  TVMFFIAny args[4] = {{.type_index = kTVMFFITensor, .v_obj = tensor(numbers, 0)},
                       {.type_index = kTVMFFITensor, .v_obj = tensor(numbers, 2 * sizeof(float))},
                       {.type_index = kTVMFFIBool},
                       {.type_index = kTVMFFIBool}};
  TVMFFIAny equal = {0};
  if (call("ffi.StructuralEqual", args, 4, &equal) != 0) return 2;
  printf("[1, 2] and [3, 4] are %s\n", equal.v_int64 ? "equal" : "different");
  return equal.v_int64 != 0;
}
