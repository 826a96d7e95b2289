/*
 * What the programs in this folder share. Each is a whole client of the library; those in bad/ do one thing wrong:
 *
 *   // story: One line that says what is wrong with this client.
 *   // breaks: used-after-end             the rule that has to be reported, or a few
 *   // also: count-after-end              what else is reported
 *
 * All are run with --leaks.
 *
 * Of those in good/ nothing is reported.
 */
#ifndef TVM_FFI_WATCHED_CLIENT_H_
#define TVM_FFI_WATCHED_CLIENT_H_

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

#define UNUSED __attribute__((unused))
#define OUT_OF_LINE __attribute__((unused, noinline))

/** Ends the program where a call fails that has to succeed. */
static UNUSED void must(int status) {
  if (status == 0) return;
  fprintf(stderr, "a call failed that has to succeed\n");
  exit(99);
}

static UNUSED TVMFFIByteArray bytes(const char* text) { return (TVMFFIByteArray){text, strlen(text)}; }

static UNUSED TVMFFIAny none(void) { return (TVMFFIAny){.type_index = kTVMFFINone}; }

static UNUSED TVMFFIAny integer(int64_t number) { return (TVMFFIAny){.type_index = kTVMFFIInt, .v_int64 = number}; }

/** A view of an object. */
static UNUSED TVMFFIAny object(TVMFFIObjectHandle handle) {
  TVMFFIObject* header = handle;
  return (TVMFFIAny){.type_index = header->type_index, .v_obj = header};
}

/** A String object that the caller owns. */
static OUT_OF_LINE TVMFFIObjectHandle string(const char* text) {
  TVMFFIByteArray content = bytes(text);
  TVMFFIAny value = none();
  must(TVMFFIStringFromByteArray(&content, &value));
  return value.v_obj;
}

#define LONG_TEXT "a text that is too long to be stored inline"

/** A function that the caller owns. Its self is not used. */
static UNUSED TVMFFIObjectHandle function(TVMFFISafeCallType call) {
  static int self;
  TVMFFIObjectHandle made = NULL;
  must(TVMFFIFunctionCreate(&self, call, NULL, &made));
  return made;
}

/** A global function that the caller owns. */
static UNUSED TVMFFIObjectHandle global(const char* name) {
  TVMFFIByteArray text = bytes(name);
  TVMFFIObjectHandle found = NULL;
  must(TVMFFIFunctionGetGlobal(&text, &found));
  return found;
}

static UNUSED void release(TVMFFIObjectHandle object) { must(TVMFFIObjectDecRef(object)); }

/** Takes the raised error and releases it; whether there was one. */
static UNUSED int take_error(void) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (error) release(error);
  return error != NULL;
}

#define CALLBACK(NAME)                                                                                              \
  static UNUSED int NAME(UNUSED void* self, UNUSED const TVMFFIAny* args, UNUSED int32_t num_args, UNUSED TVMFFIAny* result)

CALLBACK(nothing) { return 0; }

CALLBACK(fails) {
  TVMFFIErrorSetRaisedFromCStr("ValueError", "it always fails");
  return -1;
}

/** A tensor on the heap, with room for its extents, strides and elements. */
struct owned_tensor {
  DLManagedTensor managed;
  int64_t shape[2], strides[2];
  float data[6];
};

static UNUSED void free_tensor(DLManagedTensor* self) { free(self); }

/** A tensor of two rows and three columns. */
static UNUSED struct owned_tensor* tensor(void) {
  struct owned_tensor* made = calloc(1, sizeof(*made));
  made->shape[0] = 2;
  made->shape[1] = 3;
  made->strides[0] = 3;
  made->strides[1] = 1;
  made->managed.dl_tensor = (DLTensor){.data = made->data, .device = {kDLCPU, 0}, .ndim = 2, .dtype = {kDLFloat, 32, 1}};
  made->managed.dl_tensor.shape = made->shape;
  made->managed.dl_tensor.strides = made->strides;
  made->managed.manager_ctx = made;
  made->managed.deleter = free_tensor;
  return made;
}

#endif /* TVM_FFI_WATCHED_CLIENT_H_ */
