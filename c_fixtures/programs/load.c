/*
 * Loads a module, gets a function from it and calls it with two tensors: load LIBRARY.so FUNCTION
 *
 * The calls are those of the loader in the document "Stable C ABI": two global functions are looked up by name, one
 * loads the library, the other finds the function, and everything is called through TVMFFIFunctionCall.
 */
#include <stdio.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#define LENGTH 5

/** Finds a global function; NULL, with an error raised or not, when there is none. */
static TVMFFIObjectHandle global(const char* name) {
  TVMFFIByteArray text = {.data = name, .size = strlen(name)};
  TVMFFIObjectHandle function = NULL;
  return TVMFFIFunctionGetGlobal(&text, &function) == 0 ? function : NULL;
}

static void release(TVMFFIAny* value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value->v_obj);
  *value = (TVMFFIAny){.type_index = kTVMFFINone};
}

/** Prints the raised error, which is what a failed call leaves behind. */
static void print_raised(void) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) {
    printf("failed without an error\n");
    return;
  }
  const TVMFFIErrorCell* cell = (const TVMFFIErrorCell*)((char*)error + sizeof(TVMFFIObject));
  printf("%.*s: %.*s\n", (int)cell->kind.size, cell->kind.data, (int)cell->message.size, cell->message.data);
  TVMFFIObjectDecRef(error);
}

/** y = function(x), with the function of that name in that library. */
static int run(const char* library, const char* name, DLTensor* x, DLTensor* y) {
  TVMFFIAny args[3] = {{0}}, module = {0}, function = {0}, result = {0};
  TVMFFIObjectHandle load_module = global("ffi.Module.load_from_file.so");
  TVMFFIObjectHandle get_function = global("ffi.ModuleGetFunction");
  int code = load_module != NULL && get_function != NULL ? 0 : -1;

  if (code == 0) {
    args[0] = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = library};
    args[1] = (TVMFFIAny){.type_index = kTVMFFISmallStr, .v_int64 = 0};
    code = TVMFFIFunctionCall(load_module, args, 2, &module);
  }
  if (code == 0) {
    args[0] = module;
    args[1] = (TVMFFIAny){.type_index = kTVMFFIRawStr, .v_c_str = name};
    args[2] = (TVMFFIAny){.type_index = kTVMFFIBool, .v_int64 = 0};
    code = TVMFFIFunctionCall(get_function, args, 3, &function);
  }
  if (code == 0) {
    args[0] = (TVMFFIAny){.type_index = kTVMFFIDLTensorPtr, .v_ptr = x};
    args[1] = (TVMFFIAny){.type_index = kTVMFFIDLTensorPtr, .v_ptr = y};
    code = TVMFFIFunctionCall(function.v_obj, args, 2, &result);
  }

  release(&result);
  release(&function);
  release(&module);
  if (load_module != NULL) TVMFFIObjectDecRef(load_module);
  if (get_function != NULL) TVMFFIObjectDecRef(get_function);
  return code;
}

int main(int argc, char** argv) {
  float from[LENGTH] = {1, 2, 3, 4, 5}, to[LENGTH] = {0};
  int64_t shape[1] = {LENGTH}, strides[1] = {1};
  DLTensor x = {
      .data = from,
      .device = {kDLCPU, 0},
      .ndim = 1,
      .dtype = {kDLFloat, 32, 1},
      .shape = shape,
      .strides = strides,
      .byte_offset = 0,
  };
  DLTensor y = x;
  y.data = to;
  if (argc != 3) {
    fprintf(stderr, "usage: %s LIBRARY.so FUNCTION\n", argv[0]);
    return 2;
  }
  if (run(argv[1], argv[2], &x, &y) != 0) {
    print_raised();
    return 1;
  }
  printf("[ ");
  for (int i = 0; i < LENGTH; ++i) printf("%f ", to[i]);
  printf("]\n");
  return 0;
}
