/* A library as code generators of TVM 0.7 to 0.20 wrote them: functions under their plain names, which call the runtime through
 * pointers that it fills in. */
#include <tvm/runtime/c_backend_api.h>

TVM_DLL void* __tvm_module_ctx = NULL;
TVM_DLL void* __TVMFuncCall = NULL;
TVM_DLL void (*__TVMAPISetLastError)(const char*) = NULL;
TVM_DLL void* __TVMBackendGetFuncFromEnv = NULL;
TVM_DLL void* __TVMBackendAllocWorkspace = NULL;
TVM_DLL void* __TVMBackendFreeWorkspace = NULL;
TVM_DLL void* __TVMBackendParallelLaunch = NULL;
TVM_DLL void* __TVMBackendParallelBarrier = NULL;
/* No runtime fills this in. */
TVM_DLL void* __TVMFuncRegisterGlobal = NULL;
TVM_DLL const char __tvm_main__[] = "entry";

#define FUNCTION(name)                                                                                   \
  TVM_DLL int32_t name(TVMValue* args, int* codes, int count, TVMValue* ret, int* ret_code, void* resource)

FUNCTION(entry) {
  (void)args, (void)codes, (void)count, (void)resource;
  ret->v_int64 = 2021, *ret_code = kTVMArgInt;
  return 0;
}

FUNCTION(count_places) {
  (void)args, (void)codes, (void)count, (void)resource;
  ret->v_int64 = (__TVMFuncCall != NULL) + (__TVMAPISetLastError != NULL) + (__TVMBackendGetFuncFromEnv != NULL) +
                 (__TVMBackendAllocWorkspace != NULL) + (__TVMBackendFreeWorkspace != NULL) +
                 (__TVMBackendParallelLaunch != NULL) + (__TVMBackendParallelBarrier != NULL);
  *ret_code = kTVMArgInt;
  return 0;
}

FUNCTION(other_place) {
  (void)args, (void)codes, (void)count, (void)resource;
  ret->v_handle = __TVMFuncRegisterGlobal, *ret_code = kTVMOpaqueHandle;
  return 0;
}

FUNCTION(context) {
  (void)args, (void)codes, (void)count, (void)resource;
  ret->v_handle = __tvm_module_ctx, *ret_code = kTVMOpaqueHandle;
  return 0;
}

/** As a generator writes it: what is not as expected is an error with a text. */
FUNCTION(add) {
  DLTensor* tensors[3];
  int64_t i;
  (void)ret, (void)ret_code, (void)resource;
  if (count != 3) {
    __TVMAPISetLastError("Assert fail: (num_args == 3), add: num_args should be 3");
    return -1;
  }
  for (i = 0; i < 3; ++i) {
    if (codes[i] != kTVMOpaqueHandle && codes[i] != kTVMNullptr && codes[i] != kTVMDLTensorHandle && codes[i] != kTVMNDArrayHandle) {
      __TVMAPISetLastError("Assert fail: add: Expect an argument to be a pointer");
      return -1;
    }
    tensors[i] = (DLTensor*)args[i].v_handle;
  }
  for (i = 0; i < tensors[2]->shape[0]; ++i) {
    ((float*)tensors[2]->data)[i] = ((float*)tensors[0]->data)[i] + ((float*)tensors[1]->data)[i];
  }
  return 0;
}

FUNCTION(what_it_is_given) {
  (void)args, (void)codes, (void)count;
  ret->v_int64 = *ret_code + (resource ? 1000 : 0), *ret_code = kTVMArgInt;
  return 0;
}

FUNCTION(give_argument_away) {
  (void)count, (void)resource;
  ret->v_handle = args[0].v_handle, *ret_code = codes[0];
  return 0;
}

FUNCTION(answer_code) {
  static const TVMByteArray bytes = {"bytes", 5};
  static void* variable;
  int code = (int)args[0].v_int64;
  (void)codes, (void)count, (void)resource;
  if (code == kTVMStr) ret->v_str = "text";
  if (code == kTVMBytes) ret->v_handle = (void*)&bytes;
  if (code == kTVMObjectRValueRefArg) ret->v_handle = &variable;
  *ret_code = code;
  return 0;
}

FUNCTION(fail) {
  (void)args, (void)codes, (void)count, (void)ret, (void)ret_code, (void)resource;
  __TVMAPISetLastError("ValueError: the operator failed");
  return 5;
}
