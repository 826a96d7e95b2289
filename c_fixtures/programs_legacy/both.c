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
  if (codes[0] == kTVMDLTensorHandle) {
    seen.tensor = *(DLTensor*)args[0].v_handle;
    args[0].v_int64 = 0, codes[0] = kTVMNullptr;
    return 0;
  }
  return LEGACY(TVMCFuncSetReturn)(ret, args, codes, 1);
}

static void end(void* resource) {
  (void)resource;
  ++seen.ended;
}

static int fail_with(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  (void)args, (void)codes, (void)count, (void)ret;
  if (resource) LEGACY(TVMAPISetLastError)(resource);
  return -1;
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
  arg = any_of(kTVMFFIBool, 1), result = any_of(0, 0);
  EXPECT("boolean", FFI(TVMFFIFunctionCall)(f, &arg, 1, &result) == 0 && result.v_int64 == 1 && result.type_index == (seen.code == kTVMArgBool ? kTVMFFIBool : kTVMFFIInt));
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
  EXPECT("ended while it is held", seen.ended == 0);
  FFI(TVMFFIObjectDecRef)(f);
  EXPECT("ended", seen.ended == 1);
  /* Errors. */
  result = any_of(0, 0);
  f = over_legacy(fail_with, "ValueError: bad value", NULL);
  LEGACY(TVMAPISetLastError)("of long ago");
  EXPECT("failure", FFI(TVMFFIFunctionCall)(f, NULL, 0, &result) == -1 && strcmp(raised(), "ValueError: bad value") == 0);
  FFI(TVMFFIObjectDecRef)(f);
  f = over_legacy(fail_with, NULL, NULL);
  EXPECT("failure without a text", FFI(TVMFFIFunctionCall)(f, NULL, 0, &result) == -1 && strstr(raised(), "without setting an error"));
  EXPECT("text of before", strcmp(LEGACY(TVMGetLastError)(), "of long ago") == 0);
  FFI(TVMFFIObjectDecRef)(f);
}

/* ---- A Function object, called through the legacy ABI ------------------------------------------------------------ */

static int identity(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)self;
  if (!count) return 0;
  seen.code = args[0].type_index;
  if (args[0].type_index == kTVMFFITensor) seen.tensor = *(DLTensor*)(args[0].v_obj + 1);
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
  {
    TVMByteArray bytes = {"a\0b", 3};
    arg.v_handle = &bytes, code = kTVMBytes;
    EXPECT("bytes", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && ret_code == kTVMBytes && ((TVMByteArray*)ret.v_handle)->size == 3);
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
    LEGACY(TVMFuncFree)(other);
  }
  {
    TVMValue map_args[2];
    int map_codes[2] = {kTVMStr, kTVMStr};
    TVMObjectHandle strings[2];
    for (i = 0; i < 2; ++i) {
      arg.v_str = i ? "value" : "key", code = kTVMStr;
      legacy_global("runtime.String", &arg, &code, 1, &arg, &code);
      strings[i] = arg.v_handle, map_args[i].v_handle = strings[i], map_codes[i] = kTVMObjectHandle;
    }
    EXPECT("map", legacy_global("runtime.Map", map_args, map_codes, 2, &arg, &code) == 0 && code == kTVMObjectHandle);
    EXPECT("map there and back", LEGACY(TVMFuncCall)(f, &arg, &code, 1, &ret, &ret_code) == 0 && seen.code == kTVMFFIMap && ret_code == kTVMObjectHandle);
    LEGACY(TVMObjectFree)(arg.v_handle), LEGACY(TVMObjectFree)(ret.v_handle);
    for (i = 0; i < 2; ++i) LEGACY(TVMObjectFree)(strings[i]);
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
  return failures != 0;
}
