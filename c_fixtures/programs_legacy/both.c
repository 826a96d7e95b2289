/* Both generations in one process, and functions of one called as functions of the other: both FFI_LIBRARY LEGACY_LIBRARY ADAPTER.
 * It prints what is not as expected, and exits with 1 then. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi_adapter.h>
#include <tvm/runtime/c_runtime_api.h>

static void *ffi, *legacy, *adapter_library;
static TVMFFIAdapterHandle adapter;

#define FFI(name) ((__typeof__(&name))dlsym(ffi, #name))
#define LEGACY(name) ((__typeof__(&name))dlsym(legacy, #name))
#define ADAPTER(name) ((__typeof__(&name))dlsym(adapter_library, #name))

static int failures;

#define EXPECT(what, condition)                                                     \
  do {                                                                              \
    if (!(condition)) {                                                             \
      printf("line %d: %s: %s does not hold\n", __LINE__, what, #condition);        \
      ++failures;                                                                   \
    }                                                                               \
  } while (0)

/* ---- What both sides are made of --------------------------------------------------------------------------------- */

static TVMFFIAny any_of(int32_t index, int64_t payload) {
  TVMFFIAny any = {index, {0}, {0}};
  any.v_int64 = payload;
  return any;
}

static TVMFFIAny ffi_text(const char* text, size_t size) {
  TVMFFIByteArray span = {text, size};
  TVMFFIAny any;
  FFI(TVMFFIStringFromByteArray)(&span, &any);
  return any;
}

static void drop(TVMFFIAny any) {
  if (any.type_index >= kTVMFFIStaticObjectBegin) FFI(TVMFFIObjectDecRef)(any.v_obj);
}

/** The kind and the message of the error that is raised, which is taken. */
static const char* raised(void) {
  static char text[4096];
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorCell* cell;
  FFI(TVMFFIErrorMoveFromRaised)(&error);
  if (!error) return "nothing";
  cell = (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
  snprintf(text, sizeof(text), "%.*s: %.*s", (int)cell->kind.size, cell->kind.data, (int)cell->message.size, cell->message.data);
  FFI(TVMFFIObjectDecRef)(error);
  return text;
}

static TVMFFIAny ffi_global(const char* name, TVMFFIAny* args, int count) {
  TVMFFIByteArray span = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = any_of(0, 0);
  FFI(TVMFFIFunctionGetGlobal)(&span, &function);
  EXPECT(name, function && FFI(TVMFFIFunctionCall)(function, args, count, &result) == 0);
  if (function) FFI(TVMFFIObjectDecRef)(function);
  return result;
}

static int legacy_global(const char* name, TVMValue* args, int* codes, int count, TVMValue* ret, int* code) {
  TVMFunctionHandle function = NULL;
  int answer;
  if (LEGACY(TVMFuncGetGlobal)(name, &function) != 0 || !function) return -2;
  answer = LEGACY(TVMFuncCall)(function, args, codes, count, ret, code);
  LEGACY(TVMFuncFree)(function);
  return answer;
}

static uint32_t legacy_count(void* object) { return ((uint32_t*)object)[1]; }
static uint32_t ffi_count(void* object) { return *(uint32_t*)object; }

/* ---- A legacy function, called through today's ABI --------------------------------------------------------------- */

static struct {
  TVMValue value;
  int code, count, ended;
  char text[64];
  DLTensor tensor;
} seen;

/** Looks at its first argument, and answers it. */
static int echo(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  (void)resource;
  seen.count = count;
  if (!count) return 0;
  seen.value = args[0], seen.code = codes[0];
  if (codes[0] == kTVMStr) snprintf(seen.text, sizeof(seen.text), "%s", args[0].v_str);
  if (codes[0] == kTVMDLTensorHandle && args[0].v_handle) {
    seen.tensor = *(DLTensor*)args[0].v_handle;
    args[0].v_int64 = 0, codes[0] = kTVMNullptr;
    return 0;
  }
  return LEGACY(TVMCFuncSetReturn)(ret, args, codes, 1);
}

static void forget(void* self) { (void)self; }

static void end(void* resource) {
  (void)resource;
  ++seen.ended;
}

static int fail_with(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  (void)args, (void)codes, (void)count, (void)ret;
  if (resource) LEGACY(TVMAPISetLastError)(resource);
  return -1;
}

/** Sets a text, and succeeds. */
static int speak(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  (void)args, (void)codes, (void)count, (void)ret;
  LEGACY(TVMAPISetLastError)(resource);
  return 0;
}

/** Answers the module that is its resource. */
static int answer_module(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  TVMValue value = {.v_handle = resource};
  int code = kTVMModuleHandle;
  (void)args, (void)codes, (void)count;
  return LEGACY(TVMCFuncSetReturn)(ret, &value, &code, 1);
}

/** Answers a boolean, as libraries from 0.18 on do. */
static int answer_boolean(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  TVMValue value = {.v_int64 = 1};
  int code = kTVMArgBool;
  (void)args, (void)codes, (void)count, (void)resource;
  return LEGACY(TVMCFuncSetReturn)(ret, &value, &code, 1);
}

/** A legacy callback as a Function object. */
static TVMFFIObjectHandle over_legacy(TVMFrontendCPackedFunc callback, void* resource, TVMPackedCFuncFinalizer fin) {
  TVMFunctionHandle function = NULL;
  TVMFFIObjectHandle made = NULL;
  EXPECT("legacy function", LEGACY(TVMFuncCreateFromCFunc)(callback, resource, fin, &function) == 0);
  EXPECT("Function over it", ADAPTER(TVMFFIAdapterFunctionToFFI)(adapter, function, &made) == 0);
  EXPECT("references to the legacy function", legacy_count(function) == 2);
  LEGACY(TVMFuncFree)(function);
  return made;
}

static DLDataType type_of(int code, int bits) { return (DLDataType){(uint8_t)code, (uint8_t)bits, 1}; }

/** An Array in an Array, so many times. */
static TVMFFIAny nested(int times) {
  TVMFFIAny inner = ffi_global("ffi.Array", NULL, 0);
  for (; times > 1; --times) {
    TVMFFIAny outer = ffi_global("ffi.Array", &inner, 1);
    drop(inner);
    inner = outer;
  }
  return inner;
}

/** What has no form on the other side is lent, kept, moved, or an error. */
static void objects_from_ffi(TVMFFIObjectHandle f) {
  TVMFFIAny arg, result = any_of(0, 0);
  TVMFFIObjectHandle variable, made = NULL;
  static float data[16] __attribute__((aligned(64)));
  int64_t shape[1] = {16};
  DLManagedTensor managed = {{data, {1, 0}, 1, {2, 32, 1}, shape, NULL, 0}, NULL, NULL};
  EXPECT("tensor", FFI(TVMFFITensorFromDLPack)(&managed, 0, 0, &made) == 0);
  arg = any_of(kTVMFFITensor, (int64_t)(uintptr_t)made);
  EXPECT("tensor there", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && seen.code == kTVMDLTensorHandle && seen.tensor.data == data);
  EXPECT("references to the tensor", ffi_count(made) == 1);
  drop(arg);
  arg = any_of(kTVMFFIDLTensorPtr, 0), result = any_of(0, 0);
  EXPECT("no tensor", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && seen.code == kTVMDLTensorHandle && !seen.value.v_handle && result.type_index == kTVMFFINone);
  /* What is moved is given up when the call is over. */
  arg = ffi_text("a text that moves there", 23), variable = arg.v_obj;
  FFI(TVMFFIObjectIncRef)(variable);
  arg = any_of(kTVMFFIObjectRValueRef, (int64_t)(uintptr_t)&variable), made = variable, result = any_of(0, 0);
  EXPECT("moved text", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && strcmp(seen.text, "a text that moves there") == 0);
  EXPECT("its variable, and references to it", !variable && ffi_count(made) == 1);
  drop(result), FFI(TVMFFIObjectDecRef)(made);
  EXPECT("moved from before", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && seen.code == kTVMNullptr);
  /* Opaque objects: those of legacy ones come back as what they were. */
  {
    TVMValue module;
    int code = -1, before;
    EXPECT("module", legacy_global("runtime.SystemLib", NULL, NULL, 0, &module, &code) == 0 && code == kTVMModuleHandle);
    before = (int)legacy_count(module.v_handle);
    made = over_legacy(answer_module, module.v_handle, NULL), result = any_of(0, 0);
    EXPECT("module there", FFI(TVMFFIFunctionCall)(made, NULL, 0, &arg) == 0 && arg.type_index == kTVMFFIOpaquePyObject);
    EXPECT("module back", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && seen.code == kTVMModuleHandle && seen.value.v_handle == module.v_handle);
    drop(result), drop(arg), FFI(TVMFFIObjectDecRef)(made);
    EXPECT("references to the module", (int)legacy_count(module.v_handle) == before);
    LEGACY(TVMModFree)(module.v_handle);
  }
  EXPECT("opaque object", FFI(TVMFFIObjectCreateOpaque)(data, kTVMFFIOpaquePyObject, forget, &made) == 0);
  arg = any_of(kTVMFFIOpaquePyObject, (int64_t)(uintptr_t)made), result = any_of(0, 0);
  EXPECT("opaque object of somebody else", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == -1 && strstr(raised(), "TypeError: "));
  drop(arg);
  arg = nested(201), result = any_of(0, 0);
  EXPECT("deep Array", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && result.type_index == kTVMFFIArray);
  drop(arg), drop(result);
  arg = nested(202), result = any_of(0, 0), seen.count = -1;
  EXPECT("deeper Array", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == -1 && strstr(raised(), "deep in one another"));
  EXPECT("whether it arrived", seen.count == -1);
  drop(arg);
}

/** In a library that has booleans they are such; other libraries end the process where they see one. */
static void booleans_from_ffi(void) {
  TVMFunctionHandle known = NULL, function = NULL;
  TVMFFIObjectHandle f = NULL;
  TVMFFIAny arg = any_of(kTVMFFIBool, 1), result = any_of(0, 0);
  static TVMFFIAdapterHandle second = NULL;
  EXPECT("legacy function", LEGACY(TVMFuncCreateFromCFunc)(answer_boolean, NULL, NULL, &known) == 0);
  EXPECT("function that tells it", LEGACY(TVMFuncRegisterGlobal)("runtime.RuntimeEnabled", known, 1) == 0);
  EXPECT("another adapter", ADAPTER(TVMFFIAdapterCreate)(ffi, legacy, &second) == 0);
  EXPECT("legacy function", LEGACY(TVMFuncCreateFromCFunc)(echo, NULL, NULL, &function) == 0);
  EXPECT("Function over it", ADAPTER(TVMFFIAdapterFunctionToFFI)(second, function, &f) == 0);
  EXPECT("boolean", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && seen.code == kTVMArgBool && result.type_index == kTVMFFIBool && result.v_int64 == 1);
  FFI(TVMFFIObjectDecRef)(f), LEGACY(TVMFuncFree)(function), LEGACY(TVMFuncFree)(known);
}

static void legacy_from_ffi(void) {
  TVMFFIObjectHandle f = over_legacy(echo, NULL, end);
  TVMFFIAny arg, result;
  int i;
  static const struct {
    int32_t index, code;
    int64_t payload;
  } plain[] = {{kTVMFFIInt, kTVMArgInt, -5}, {kTVMFFIFloat, kTVMArgFloat, 0x7ff0000000000001}, {kTVMFFIOpaquePtr, kTVMOpaqueHandle, 4096},
               {kTVMFFIDevice, kDLDevice, 0x100000002}};
  for (i = 0; i < 4; ++i) {
    arg = any_of(plain[i].index, plain[i].payload), result = any_of(0, 0);
    EXPECT("call", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0);
    EXPECT("code", seen.code == plain[i].code);
    EXPECT("payload there", seen.value.v_int64 == plain[i].payload);
    EXPECT("type back", result.type_index == plain[i].index);
    EXPECT("payload back", result.v_int64 == plain[i].payload && result.zero_padding == 0);
  }
  arg = any_of(0, 0), result = any_of(0, 0);
  EXPECT("None", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && seen.code == kTVMNullptr && result.type_index == kTVMFFINone && result.v_int64 == 0);
  EXPECT("no result", FFI(TVMFFIFunctionCall)(f, NULL, 0, &result) == 0 && result.type_index == kTVMFFINone);
  /* Whether the library has booleans, one of its functions shows. */
  {
    TVMValue name = {.v_str = "cpu"}, answer;
    int code = kTVMStr, shown = -1;
    EXPECT("what is enabled", legacy_global("runtime.RuntimeEnabled", &name, &code, 1, &answer, &shown) == 0);
    arg = any_of(kTVMFFIBool, 1), result = any_of(0, 0);
    EXPECT("boolean", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && result.v_int64 == 1 && seen.code == shown);
    EXPECT("boolean back", result.type_index == (shown == kTVMArgBool ? kTVMFFIBool : kTVMFFIInt));
  }
  /* Data types are numbered otherwise: a boolean would be read as a float8. */
  arg = any_of(kTVMFFIDataType, 0), arg.v_dtype = type_of(6, 8), result = any_of(0, 0);
  EXPECT("type of booleans", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && seen.value.v_type.code == 1 && seen.value.v_type.bits == 1);
  EXPECT("a data type comes back as its name", result.type_index == kTVMFFISmallStr && memcmp(result.v_bytes, "bool", 5) == 0);
  arg.v_dtype = type_of(10, 8);
  EXPECT("type of float8", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && seen.value.v_type.code == 6);
  drop(result);
  arg.v_dtype = type_of(7, 8), result = any_of(0, 0);
  EXPECT("type without a form", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == -1 && strstr(raised(), "TypeError: "));
  /* Texts and bytes. */
  arg = any_of(kTVMFFIRawStr, (int64_t)(uintptr_t)"lent"), result = any_of(0, 0);
  EXPECT("lent text", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && strcmp(seen.text, "lent") == 0 && result.type_index == kTVMFFISmallStr);
  arg = ffi_text("seven b", 7);
  EXPECT("small text", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && strcmp(seen.text, "seven b") == 0 && result.v_int64 == arg.v_int64);
  arg = ffi_text("a text in an object", 19);
  EXPECT("text", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && strcmp(seen.text, "a text in an object") == 0 && result.type_index == kTVMFFIStr);
  drop(arg), drop(result);
  arg = ffi_text("a\0b", 3), result = any_of(0, 0);
  EXPECT("text with a NUL", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == -1 && strstr(raised(), "NUL"));
  {
    TVMFFIByteArray span = {"a\0b", 3};
    arg = any_of(kTVMFFIByteArrayPtr, (int64_t)(uintptr_t)&span), result = any_of(0, 0);
    EXPECT("bytes", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && seen.code == kTVMBytes && result.type_index == kTVMFFISmallBytes && result.small_str_len == 3 && result.v_bytes[2] == 'b');
  }
  /* Objects. */
  arg = any_of(kTVMFFIFunction, (int64_t)(uintptr_t)f), result = any_of(0, 0);
  EXPECT("function", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && seen.code == kTVMPackedFuncHandle && result.type_index == kTVMFFIFunction);
  if (result.type_index == kTVMFFIFunction) {
    TVMFFIAny four = any_of(kTVMFFIInt, 4), back = any_of(0, 0);
    EXPECT("function that came back", FFI(TVMFFIFunctionCall)(result.v_obj, &four, 1, &back) == 0 && back.v_int64 == 4);
    drop(result);
  }
  {
    TVMFFIAny texts[2];
    texts[0] = ffi_text("one", 3), texts[1] = ffi_text("a longer text, two", 18);
    arg = ffi_global("ffi.Array", texts, 2), result = any_of(0, 0);
    EXPECT("Array", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && seen.code == kTVMObjectHandle && result.type_index == kTVMFFIArray);
    drop(texts[1]), drop(result), drop(arg);
    texts[0] = any_of(kTVMFFIInt, 3), texts[1] = any_of(kTVMFFIInt, 5);
    arg = ffi_global("ffi.Shape", texts, 2), result = any_of(0, 0);
    EXPECT("Shape", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && result.type_index == kTVMFFIShape && ((TVMFFIShapeCell*)(result.v_obj + 1))->data[1] == 5);
    drop(result), drop(arg);
    arg = ffi_global("ffi.Dict", NULL, 0), result = any_of(0, 0);
    EXPECT("Dict", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == -1 && strstr(raised(), "TypeError: "));
    drop(arg);
  }
  {
    int64_t shape[1] = {4};
    uint8_t data[4] = {1, 0, 1, 0};
    DLTensor tensor = {data, {1, 0}, 1, {6, 8, 1}, shape, NULL, 0};
    arg = any_of(kTVMFFIDLTensorPtr, (int64_t)(uintptr_t)&tensor), result = any_of(0, 0);
    EXPECT("lent tensor", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && seen.code == kTVMDLTensorHandle && seen.tensor.data == data);
    EXPECT("type of its elements", seen.tensor.dtype.code == 1 && seen.tensor.dtype.bits == 1 && tensor.dtype.code == 6);
  }
  objects_from_ffi(f);
  /* A success leaves the text of an earlier failure, or the one that the function sets. */
  LEGACY(TVMAPISetLastError)("of long ago");
  EXPECT("success", FFI(TVMFFIFunctionCall)(f, NULL, 0, &result) == 0 && strcmp(LEGACY(TVMGetLastError)(), "of long ago") == 0);
  EXPECT("ended while it is held", seen.ended == 0);
  FFI(TVMFFIObjectDecRef)(f);
  EXPECT("ended", seen.ended == 1);
  f = over_legacy(speak, "said by the way", NULL);
  EXPECT("success", FFI(TVMFFIFunctionCall)(f, NULL, 0, &result) == 0 && strcmp(LEGACY(TVMGetLastError)(), "said by the way") == 0);
  FFI(TVMFFIObjectDecRef)(f);
  /* Errors. */
  result = any_of(0, 0);
  f = over_legacy(fail_with, "ValueError: bad value", NULL);
  LEGACY(TVMAPISetLastError)("of long ago");
  EXPECT("failure", FFI(TVMFFIFunctionCall)(f, NULL, 0, &result) == -1 && strcmp(raised(), "ValueError: bad value") == 0);
  FFI(TVMFFIObjectDecRef)(f);
  f = over_legacy(fail_with, "ValueError: a value that is so bad that it takes more than a hundred letters to say what is wrong with it", NULL);
  EXPECT("long text", FFI(TVMFFIFunctionCall)(f, NULL, 0, &result) == -1 && strstr(raised(), "what is wrong with it"));
  FFI(TVMFFIObjectDecRef)(f);
  f = over_legacy(fail_with, NULL, NULL);
  EXPECT("failure without a text", FFI(TVMFFIFunctionCall)(f, NULL, 0, &result) == -1);
  {
    const char* error = raised();
    /* The text by which the adapter tells that is nobody's to see. */
    EXPECT("its error", strstr(error, "without setting an error") && !strstr(error, "adapter"));
  }
  EXPECT("text of before", strcmp(LEGACY(TVMGetLastError)(), "of long ago") == 0);
  FFI(TVMFFIObjectDecRef)(f);
}

/* ---- A Function object, called through the legacy ABI ------------------------------------------------------------ */

static int identity(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)self;
  if (!count) return 0;
  seen.code = args[0].type_index, seen.value.v_int64 = args[0].v_int64;
  if (args[0].type_index == kTVMFFITensor) seen.tensor = *(DLTensor*)(args[0].v_obj + 1);
  if (args[0].type_index == kTVMFFIDLTensorPtr) {
    seen.tensor = *(DLTensor*)args[0].v_ptr;
    return 0;
  }
  return FFI(TVMFFIAnyViewToOwnedAny)(args, result);
}

static int fail(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)args, (void)count, (void)result;
  if (self) FFI(TVMFFIErrorSetRaisedFromCStr)("IndexError", self);
  return -1;
}

static TVMFunctionHandle over_ffi(TVMFFISafeCallType callback, void* self) {
  TVMFFIObjectHandle function = NULL;
  TVMFunctionHandle made = NULL;
  FFI(TVMFFIFunctionCreate)(self, callback, end, &function);
  EXPECT("legacy function over it", ADAPTER(TVMFFIAdapterFunctionToLegacy)(adapter, function, &made) == 0);
  EXPECT("references to the Function", ffi_count(function) == 2);
  FFI(TVMFFIObjectDecRef)(function);
  return made;
}

static void ffi_from_legacy(void) {
  TVMFunctionHandle f = over_ffi(identity, NULL);
  static const int refused[] = {1, 16, 99, -3};
  TVMValue arg, ret;
  int code, ret_code, i;
  seen.ended = 0;
  arg.v_int64 = -5, code = kTVMArgInt;
  EXPECT("integer", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && ret.v_int64 == -5 && ret_code == kTVMArgInt);
  EXPECT("nothing", LEGACY(TVMFuncCall)(f, NULL, NULL, 0, &ret, &ret_code) == 0 && ret_code == kTVMNullptr);
  arg.v_int64 = 77, code = kTVMNullptr;
  EXPECT("null", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && ret_code == kTVMNullptr);
  for (i = 0; i < 4; ++i) {
    arg.v_int64 = 1, code = refused[i];
    EXPECT("code without a form", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == -1 && strstr(LEGACY(TVMGetLastError)(), "TypeError"));
  }
  arg.v_int64 = 1, code = kTVMArgBool;
  EXPECT("boolean", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && seen.code == kTVMFFIBool && ret.v_int64 == 1);
  arg.v_str = "a text of the caller", code = kTVMStr;
  EXPECT("text", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && ret_code == kTVMStr && strcmp(ret.v_str, "a text of the caller") == 0);
  EXPECT("text that is lent", seen.code == kTVMFFIRawStr && seen.value.v_str == arg.v_str);
  {
    TVMByteArray bytes = {"a\0b", 3};
    arg.v_handle = &bytes, code = kTVMBytes;
    EXPECT("bytes", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && ret_code == kTVMBytes && ((TVMByteArray*)ret.v_handle)->size == 3);
    EXPECT("bytes that are lent", seen.code == kTVMFFIByteArrayPtr && seen.value.v_handle == &bytes);
  }
  for (i = 0; i < 2; ++i) {
    arg.v_handle = NULL, code = i ? kTVMBytes : kTVMStr;
    EXPECT("text or bytes that are NULL", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == -1 && strstr(LEGACY(TVMGetLastError)(), "TypeError"));
  }
  {
    int64_t shape[1] = {4};
    uint8_t data[4] = {0};
    DLTensor tensor = {data, {1, 0}, 1, {0, 8, 1}, shape, NULL, 0};
    arg.v_handle = &tensor, code = kTVMDLTensorHandle;
    EXPECT("tensor that is lent", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && seen.code == kTVMFFIDLTensorPtr && seen.value.v_handle == &tensor);
    tensor.dtype = type_of(6, 8), code = kTVMDLTensorHandle;
    EXPECT("tensor of float8", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && seen.tensor.dtype.code == 10 && seen.tensor.data == data);
    arg.v_handle = NULL, code = kTVMDLTensorHandle;
    EXPECT("no tensor", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && seen.code == kTVMFFINone && ret_code == kTVMNullptr);
  }
  arg.v_str = "in a String object", code = kTVMStr;
  EXPECT("String object", legacy_global("runtime.String", &arg, &code, 1, &arg, &code) == 0 && code == kTVMObjectHandle);
  if (code == kTVMObjectHandle) {
    EXPECT("its text", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && ret_code == kTVMStr && strcmp(ret.v_str, "in a String object") == 0);
    EXPECT("references to it", legacy_count(arg.v_handle) == 1);
    LEGACY(TVMObjectFree)(arg.v_handle);
  }
  {
    int64_t shape[1] = {16};
    TVMArrayHandle array = NULL;
    EXPECT("array", LEGACY(TVMArrayAlloc)(shape, 1, 1, 1, 1, 1, 0, &array) == 0);
    arg.v_handle = array, code = kTVMNDArrayHandle, ret_code = -1;
    EXPECT("array there", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && seen.code == kTVMFFITensor && seen.tensor.data == array->data);
    EXPECT("type of its elements", seen.tensor.dtype.code == 6 && seen.tensor.dtype.bits == 8 && array->dtype.code == 1);
    EXPECT("array back", ret_code == kTVMNDArrayHandle && ((DLTensor*)ret.v_handle)->data == array->data && ((DLTensor*)ret.v_handle)->dtype.code == 1);
    if (ret_code == kTVMNDArrayHandle) LEGACY(TVMArrayFree)(ret.v_handle);
    EXPECT("references to the array", legacy_count((char*)array - 16) == 1);
    LEGACY(TVMArrayFree)(array);
  }
  {
    TVMFunctionHandle other = NULL;
    LEGACY(TVMFuncCreateFromCFunc)(echo, NULL, NULL, &other);
    arg.v_handle = other, code = kTVMPackedFuncHandle, ret_code = -1;
    EXPECT("function", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && ret_code == kTVMPackedFuncHandle);
    arg.v_int64 = 8, code = kTVMArgInt;
    EXPECT("function that came back", LEGACY(TVMFuncCall)(ret.v_handle, &arg, &code, 1, &arg, &code) == 0 && arg.v_int64 == 8);
    LEGACY(TVMFuncFree)(ret.v_handle);
    EXPECT("references to the function", legacy_count(other) == 1);
    arg.v_handle = other, code = kTVMPackedFuncHandle;
    EXPECT("array of a function", legacy_global("runtime.Array", &arg, &code, 1, &arg, &code) == 0 && code == kTVMObjectHandle);
    EXPECT("array there and back", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && seen.code == kTVMFFIArray && ret_code == kTVMObjectHandle);
    LEGACY(TVMObjectFree)(arg.v_handle), LEGACY(TVMObjectFree)(ret.v_handle);
    EXPECT("references to its function", legacy_count(other) == 1);
    LEGACY(TVMFuncFree)(other);
  }
  {
    static const char* const texts[] = {"key", "value", "another key", "another value"};
    TVMValue map_args[4], found;
    int map_codes[4], found_code;
    TVMObjectHandle strings[4];
    for (i = 0; i < 4; ++i) {
      arg.v_str = texts[i], code = kTVMStr;
      legacy_global("runtime.String", &arg, &code, 1, &arg, &code);
      strings[i] = arg.v_handle, map_args[i].v_handle = strings[i], map_codes[i] = kTVMObjectHandle;
    }
    EXPECT("map", legacy_global("runtime.Map", map_args, map_codes, 4, &arg, &code) == 0 && code == kTVMObjectHandle);
    EXPECT("map there and back", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && seen.code == kTVMFFIMap && ret_code == kTVMObjectHandle);
    for (i = 0; i < 4; i += 2) {
      map_args[0].v_handle = ret.v_handle, map_codes[0] = kTVMObjectHandle;
      map_args[1].v_handle = strings[i], map_codes[1] = kTVMObjectHandle, found_code = -1;
      EXPECT("value of a key", legacy_global("runtime.MapGetItem", map_args, map_codes, 2, &found, &found_code) == 0 && found_code == kTVMObjectHandle);
      map_args[0] = found, map_codes[0] = found_code;
      EXPECT("its text", legacy_global("runtime.GetFFIString", map_args, map_codes, 1, &found, &found_code) == 0 && strcmp(found.v_str, texts[i + 1]) == 0);
      LEGACY(TVMObjectFree)(map_args[0].v_handle);
    }
    LEGACY(TVMObjectFree)(arg.v_handle), LEGACY(TVMObjectFree)(ret.v_handle);
    for (i = 0; i < 4; ++i) LEGACY(TVMObjectFree)(strings[i]);
  }
  EXPECT("ended while it is held", seen.ended == 0);
  LEGACY(TVMFuncFree)(f);
  EXPECT("ended", seen.ended == 1);
  f = over_ffi(fail, "out of range");
  EXPECT("failure", LEGACY(TVMFuncCall)(f, NULL, NULL, 0, &ret, &ret_code) == -1);
  EXPECT("text", strncmp(LEGACY(TVMGetLastError)(), "IndexError: out of range", 24) == 0);
  LEGACY(TVMFuncFree)(f);
  f = over_ffi(fail, NULL);
  EXPECT("failure without an error", LEGACY(TVMFuncCall)(f, NULL, NULL, 0, &ret, &ret_code) == -1);
  EXPECT("its text", strstr(LEGACY(TVMGetLastError)(), "without raising an error") && !strstr(LEGACY(TVMGetLastError)(), "out of range"));
  LEGACY(TVMFuncFree)(f);
}

/* ---- Both, each for itself --------------------------------------------------------------------------------------- */

static void side_by_side(void) {
  TVMFunctionHandle f = NULL, found = NULL;
  TVMFFIObjectHandle other = NULL;
  TVMFFIByteArray name = {"both.name", 9};
  LEGACY(TVMFuncCreateFromCFunc)(echo, NULL, NULL, &f);
  EXPECT("legacy global", LEGACY(TVMFuncRegisterGlobal)("both.name", f, 0) == 0);
  EXPECT("of the other library", FFI(TVMFFIFunctionGetGlobal)(&name, &other) == 0 && !other);
  FFI(TVMFFIFunctionCreate)(NULL, identity, NULL, &other);
  EXPECT("global of the same name", FFI(TVMFFIFunctionSetGlobal)(&name, other, 0) == 0);
  EXPECT("legacy global still", LEGACY(TVMFuncGetGlobal)("both.name", &found) == 0 && found == f);
  LEGACY(TVMAPISetLastError)("legacy");
  FFI(TVMFFIErrorSetRaisedFromCStr)("ValueError", "of today");
  EXPECT("errors", strcmp(raised(), "ValueError: of today") == 0 && strcmp(LEGACY(TVMGetLastError)(), "legacy") == 0);
  LEGACY(TVMFuncFree)(found), LEGACY(TVMFuncFree)(f), FFI(TVMFFIObjectDecRef)(other);
}

int main(int count, char** args) {
  if (count != 4) return 2;
  ffi = dlopen(args[1], RTLD_NOW | RTLD_LOCAL);
  legacy = dlopen(args[2], RTLD_NOW | RTLD_LOCAL);
  adapter_library = dlopen(args[3], RTLD_NOW | RTLD_LOCAL);
  if (!ffi || !legacy || !adapter_library) {
    printf("%s\n", dlerror());
    return 2;
  }
  side_by_side();
  if (ADAPTER(TVMFFIAdapterCreate)(ffi, legacy, &adapter) != 0) {
    printf("%s\n", ADAPTER(TVMFFIAdapterGetLastError)());
    return 1;
  }
  EXPECT("libraries the wrong way round", ADAPTER(TVMFFIAdapterCreate)(legacy, ffi, &adapter) == -1 && strstr(ADAPTER(TVMFFIAdapterGetLastError)(), "TVMFFI"));
  legacy_from_ffi();
  ffi_from_legacy();
  booleans_from_ffi();
  return failures != 0;
}
