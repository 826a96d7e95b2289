/* Objects and arrays: who owns them, and what they are. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>

#include "caller.h"

struct keeper {
  TVMValue values[2];
  int codes[2], count, answer;
  int count_seen;
};

/** Sets the results that the resource names, one after the other, and answers its code. */
static int set_results(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  struct keeper* keeper = (struct keeper*)resource;
  int i;
  if (count && codes[0] == kTVMObjectHandle) keeper->count_seen = count_of(args[0].v_handle);
  for (i = 0; i < keeper->count; ++i) {
    if (TVMCFuncSetReturn(ret, &keeper->values[i], &keeper->codes[i], 1) != 0) return -1;
  }
  if (keeper->answer) TVMAPISetLastError("ValueError: after the result");
  return keeper->answer;
}

/** Arguments are lent; a result is retained once, and given up where it is replaced or the call fails. */
CALLER(references_are_counted) {
  struct keeper keeper = {{{0}, {0}}, {kTVMObjectHandle, kTVMObjectHandle}, 0, 0, 0};
  TVMObjectHandle one = string_object("one"), two = string_object("two");
  TVMFunctionHandle f = NULL;
  TVMValue arg, ret;
  int code = kTVMObjectHandle, ret_code;
  CLAUSE(t, "LEG-0018");
  CHECK_NOT_NULL(t, "object", one);
  CHECK_EQ_INT(t, "references to a new object", count_of(one), 1);
  CHECK_OK(t, TVMFuncCreateFromCFunc(set_results, &keeper, NULL, &f));
  arg = value_of_handle(one);
  CHECK_OK(t, TVMFuncCall(f, &arg, &code, 1, &ret, &ret_code));
  CHECK_EQ_INT(t, "references within the call", keeper.count_seen, 1);
  CHECK_EQ_INT(t, "references after the call", count_of(one), 1);
  keeper.values[0] = value_of_handle(one), keeper.values[1] = value_of_handle(two), keeper.count = 2;
  CHECK_OK(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
  CHECK_EQ_INT(t, "code", ret_code, kTVMObjectHandle);
  CHECK_EQ_PTR(t, "result", ret.v_handle, two);
  CHECK_EQ_INT(t, "references to the replaced result", count_of(one), 1);
  CHECK_EQ_INT(t, "references to the result", count_of(two), 2);
  CHECK_OK(t, TVMObjectFree(ret.v_handle));
  keeper.answer = -1;
  CHECK_FAILS(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code), NULL);
  CHECK_EQ_INT(t, "references after a failure", count_of(two), 1);
  keeper.answer = 0, keeper.count = 1, keeper.codes[0] = kTVMPackedFuncHandle, keeper.values[0] = value_of_handle(f);
  CHECK_OK(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
  CHECK_EQ_INT(t, "code of a function", ret_code, kTVMPackedFuncHandle);
  CHECK_EQ_INT(t, "references to the function", count_of(f), 2);
  CHECK_OK(t, TVMFuncFree(ret.v_handle));
  CHECK_OK(t, TVMObjectFree(one));
  CHECK_OK(t, TVMObjectFree(two));
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

/** Freeing and retaining NULL is no failure. */
CALLER(null_is_freed) {
  CLAUSE(t, "LEG-0024");
  CHECK_OK(t, TVMFuncFree(NULL));
  CHECK_OK(t, TVMModFree(NULL));
  CHECK_OK(t, TVMObjectFree(NULL));
  CHECK_OK(t, TVMObjectRetain(NULL));
  return 0;
}

/** What an r-value reference refers to is taken at most once, and its variable is then NULL. */
CALLER(rvalue_references_are_taken_once) {
  TVMObjectHandle object = string_object("moved"), variable;
  TVMFunctionHandle f = NULL;
  TVMValue arg, ret;
  struct keeper keeper = {{{0}, {0}}, {0, 0}, 0, 0, 0};
  int code = kTVMObjectRValueRefArg, ret_code;
  CLAUSE(t, "LEG-0027");
  CHECK_NOT_NULL(t, "object", object);
  CHECK_OK(t, TVMObjectRetain(object));
  variable = object, arg = value_of_handle(&variable);
  CHECK_OK(t, TVMFuncCreateFromCFunc(set_results, &keeper, NULL, &f));
  CHECK_OK(t, TVMFuncCall(f, &arg, &code, 1, &ret, &ret_code));
  CHECK_EQ_PTR(t, "variable that nobody has taken from", variable, object);
  CHECK_EQ_INT(t, "references", count_of(object), 2);
  code = kTVMObjectRValueRefArg;
  CHECK_OK(t, call_global("runtime.ObjectPtrHash", &arg, &code, 1, &ret, &ret_code));
  CHECK_EQ_PTR(t, "variable after it was taken from", variable, NULL);
  CHECK_EQ_INT(t, "references after it was taken", count_of(object), 1);
  variable = object, code = kTVMObjectRValueRefArg;
  CHECK_OK(t, TVMObjectRetain(object));
  CHECK_OK(t, TVMCbArgToReturn(&arg, &code));
  CHECK_EQ_INT(t, "code", code, kTVMObjectHandle);
  CHECK_EQ_PTR(t, "variable after TVMCbArgToReturn", variable, NULL);
  CHECK_EQ_PTR(t, "object", arg.v_handle, object);
  CHECK_EQ_INT(t, "references", count_of(object), 2);
  CHECK_OK(t, TVMObjectFree(object));
  CHECK_OK(t, TVMObjectFree(object));
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

/** An argument becomes a value of the callback's own: objects are retained, plain values stay, texts are refused. */
CALLER(arguments_become_owned_values) {
  TVMObjectHandle object = string_object("kept");
  TVMValue value = value_of_handle(object);
  TVMByteArray bytes = {"b", 1};
  int code = kTVMObjectHandle;
  CLAUSE(t, "LEG-0028");
  CHECK_NOT_NULL(t, "object", object);
  CHECK_OK(t, TVMCbArgToReturn(&value, &code));
  CHECK_EQ_INT(t, "code", code, kTVMObjectHandle);
  CHECK_EQ_INT(t, "references", count_of(object), 2);
  value = value_of_int(-8), code = kTVMArgInt;
  CHECK_OK(t, TVMCbArgToReturn(&value, &code));
  CHECK_EQ_INT(t, "integer", value.v_int64, -8);
  value = value_of_text("text"), code = kTVMStr;
  CHECK_FAILS(t, TVMCbArgToReturn(&value, &code), NULL);
  CHECK_TEXT(t, "text", value.v_str, "text");
  value = value_of_handle(&bytes), code = kTVMBytes;
  CHECK_FAILS(t, TVMCbArgToReturn(&value, &code), NULL);
  CHECK_OK(t, TVMObjectFree(object));
  CHECK_OK(t, TVMObjectFree(object));
  return 0;
}

/** The key of a type is in memory for free, and leads back to its index. */
CALLER(type_keys_are_for_free) {
  TVMObjectHandle object = string_object("typed");
  unsigned index = 0, again = 0;
  char* key = NULL;
  int derived = -1;
  CLAUSE(t, "LEG-0043");
  CHECK_NOT_NULL(t, "object", object);
  CHECK_OK(t, TVMObjectGetTypeIndex(object, &index));
  CHECK_OK(t, TVMObjectTypeIndex2Key(index, &key));
  CHECK_TEXT(t, "key", key, "runtime.String");
  CHECK_OK(t, TVMObjectTypeKey2Index(key, &again));
  CHECK_EQ_INT(t, "index", again, index);
  free(key);
  CHECK_OK(t, TVMObjectDerivedFrom(index, 0, &derived));
  CHECK_EQ_INT(t, "derived from the root", derived, 1);
  CHECK_OK(t, TVMObjectDerivedFrom(index, 1, &derived));
  CHECK_EQ_INT(t, "derived from a module", derived, 0);
  CHECK_OK(t, TVMObjectFree(object));
  return 0;
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

/* No header declares it, and not every library has it. */
typedef int (*get_type_index)(TVMArrayHandle handle, unsigned* out_tindex);

/** A new array has aligned memory, no strides, extents of its own, and its object 16 bytes before the handle. */
CALLER(new_arrays_are_laid_out) {
  int64_t shape[2] = {3, 5};
  TVMArrayHandle array = NULL, none = NULL;
  unsigned index = 9;
  void* symbol = dlsym(RTLD_DEFAULT, "TVMArrayGetTypeIndex");
  CLAUSE(t, "LEG-0025");
  CHECK_OK(t, TVMArrayAlloc(shape, 2, 2, 32, 1, 1, 0, &array));
  shape[0] = 0;
  CHECK_EQ_INT(t, "alignment", (uintptr_t)array->data % 64, 0);
  CHECK_EQ_PTR(t, "strides", array->strides, NULL);
  CHECK_EQ_INT(t, "first extent", array->shape[0], 3);
  CHECK_EQ_INT(t, "dimensions", array->ndim, 2);
  CHECK_EQ_INT(t, "offset", array->byte_offset, 0);
  CHECK_EQ_INT(t, "bits", array->dtype.bits, 32);
  if (symbol) {
    get_type_index TVMArrayGetTypeIndex;
    memcpy(&TVMArrayGetTypeIndex, &symbol, sizeof(symbol));
    CHECK_OK(t, TVMArrayGetTypeIndex(array, &index));
    CHECK_EQ_INT(t, "type index", index, 2);
  }
  CHECK_EQ_INT(t, "type index in the header", *(uint32_t*)object_of(array), 2);
  CHECK_EQ_INT(t, "references", count_of(object_of(array)), 1);
  CHECK_OK(t, TVMArrayAlloc(shape, 2, 2, 32, 1, 1, 0, &none));
  CHECK_NOT_NULL(t, "data of no elements", none->data);
  CHECK_OK(t, TVMArrayFree(array));
  CHECK_OK(t, TVMArrayFree(none));
  CLAUSE(t, "LEG-0042");
  shape[0] = 2, array = (TVMArrayHandle)&index;
  CHECK_FAILS(t, TVMArrayAlloc(shape, 2, 2, 32, 0, 1, 0, &array), NULL);
  CHECK_FAILS(t, TVMArrayAlloc(shape, 2, 2, 12, 1, 1, 0, &array), NULL);
  CHECK_FAILS(t, TVMArrayAlloc(shape, 2, 2, 32, 1, 8, 0, &array), NULL);
  shape[0] = -1;
  CHECK_FAILS(t, TVMArrayAlloc(shape, 2, 2, 32, 1, 1, 0, &array), NULL);
  CHECK_EQ_PTR(t, "place of the array", array, &index);
  return 0;
}

/** All elements are copied, and another number of bytes is refused. */
CALLER(elements_are_copied) {
  int64_t shape[1] = {4};
  int32_t in[4] = {1, -2, 3, -4}, out[4] = {0};
  TVMArrayHandle a = NULL, b = NULL;
  CLAUSE(t, "LEG-0044");
  CHECK_OK(t, TVMArrayAlloc(shape, 1, 0, 32, 1, 1, 0, &a));
  CHECK_OK(t, TVMArrayAlloc(shape, 1, 0, 32, 1, 1, 0, &b));
  CHECK_OK(t, TVMArrayCopyFromBytes(a, in, 16));
  CHECK_OK(t, TVMArrayCopyFromTo(a, b, NULL));
  CHECK_OK(t, TVMArrayCopyToBytes(b, out, 16));
  CHECK(t, "elements", memcmp(in, out, 16) == 0);
  CHECK_FAILS(t, TVMArrayCopyFromBytes(a, in, 12), NULL);
  CHECK_FAILS(t, TVMArrayCopyToBytes(a, out, 12), NULL);
  CHECK_OK(t, TVMArrayFree(a));
  CHECK_OK(t, TVMArrayFree(b));
  return 0;
}

static int deleted;
static void delete_tensor(DLManagedTensor* self) {
  (void)self;
  ++deleted;
}

/** A tensor is taken over or left alone, and one that is exported keeps its array alive. */
CALLER(tensors_are_taken_over_or_left_alone) {
  static float data[32] __attribute__((aligned(64)));
  int64_t shape[2] = {2, 4}, strides[2] = {1, 2}, rows[2] = {4, 1};
  DLManagedTensor managed = {{data, {kDLCPU, 0}, 2, {2, 32, 1}, shape, NULL, 0}, NULL, delete_tensor}, *out = NULL;
  TVMArrayHandle array = (TVMArrayHandle)&managed;
  CLAUSE(t, "LEG-0026");
  managed.dl_tensor.strides = strides;
  CHECK_FAILS(t, TVMArrayFromDLPack(&managed, &array), NULL);
  managed.dl_tensor.strides = NULL, managed.dl_tensor.data = data + 1;
  CHECK_FAILS(t, TVMArrayFromDLPack(&managed, &array), NULL);
  CHECK_EQ_INT(t, "deleted by a refusal", deleted, 0);
  CHECK_EQ_PTR(t, "place of the array", array, &managed);
  managed.dl_tensor.strides = rows, managed.dl_tensor.data = data;
  CHECK_OK(t, TVMArrayFromDLPack(&managed, &array));
  CHECK_EQ_PTR(t, "data", array->data, data);
  CHECK_OK(t, TVMArrayToDLPack(array, &out));
  CHECK_OK(t, TVMArrayFree(array));
  CHECK_EQ_INT(t, "deleted while it is exported", deleted, 0);
  CHECK_EQ_INT(t, "extent of the export", out->dl_tensor.shape[1], 4);
  CALL(t, TVMDLManagedTensorCallDeleter(out));
  CHECK_EQ_INT(t, "deleted", deleted, 1);
  return 0;
}

/** Memory of a device has the alignment that was asked for. */
CALLER(device_memory_is_aligned) {
  DLDevice cpu = {kDLCPU, 0};
  DLDataType hint = {2, 32, 1};
  void* data = NULL;
  CLAUSE(t, "LEG-0046");
  CHECK_OK(t, TVMDeviceAllocDataSpace(cpu, 100, 256, hint, &data));
  CHECK_EQ_INT(t, "alignment", (uintptr_t)data % 256, 0);
  memset(data, 1, 100);
  CHECK_OK(t, TVMDeviceFreeDataSpace(cpu, data));
  CHECK_OK(t, TVMDeviceFreeDataSpace(cpu, NULL));
  return 0;
}
