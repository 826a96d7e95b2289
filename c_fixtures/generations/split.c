/*
 * A small library of the split generation: objects, errors and functions with their reference counts, enough to be told by.
 * What it does not need for that, it does not have.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

/* ---- Counts ------------------------------------------------------------------------------------------------------ */

TVM_FFI_DLL int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  __atomic_fetch_add(&((TVMFFIObject*)obj)->strong_ref_count, 1, __ATOMIC_RELAXED);
  return 0;
}

static void drop_weak(TVMFFIObject* object) {
  if (__atomic_fetch_sub(&object->weak_ref_count, 1, __ATOMIC_ACQ_REL) == 1) {
    if (object->deleter) object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
}

TVM_FFI_DLL int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  TVMFFIObject* object = obj;
  if (__atomic_fetch_sub(&object->strong_ref_count, 1, __ATOMIC_ACQ_REL) != 1 || !object->deleter) return 0;
  if (__atomic_load_n(&object->weak_ref_count, __ATOMIC_RELAXED) == 1) {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskBoth);
  } else {
    object->deleter(object, kTVMFFIObjectDeleterFlagBitMaskStrong);
    drop_weak(object);
  }
  return 0;
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/** An Error, and what it owns. */
typedef struct {
  TVMFFIObject header;
  TVMFFIErrorCell cell;
} Error;

static TVMFFIByteArray copy(const char* text, size_t size) {
  char* data = malloc(size + 1);
  if (!data) abort();
  if (size) memcpy(data, text, size);
  data[size] = 0;
  return (TVMFFIByteArray){data, size};
}

static void delete_error(void* self, int flags) {
  Error* error = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    free((char*)error->cell.kind.data);
    free((char*)error->cell.message.data);
    free((char*)error->cell.traceback.data);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(error);
}

static void update_traceback(TVMFFIObjectHandle self, const TVMFFIByteArray* traceback) {
  TVMFFIByteArray old = ((Error*)self)->cell.traceback;
  ((Error*)self)->cell.traceback = copy(traceback->data, traceback->size);
  free((char*)old.data);
}

TVM_FFI_DLL TVMFFIObjectHandle TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                                 const TVMFFIByteArray* traceback) {
  Error* error = calloc(1, sizeof(Error));
  if (!error) abort();
  error->header.type_index = kTVMFFIError;
  error->header.weak_ref_count = 1;
  error->header.strong_ref_count = 1;
  error->header.deleter = delete_error;
  error->cell.kind = copy(kind->data, kind->size);
  error->cell.message = copy(message->data, message->size);
  error->cell.traceback = copy(traceback->data, traceback->size);
  error->cell.update_traceback = update_traceback;
  return error;
}

static _Thread_local TVMFFIObjectHandle raised;

TVM_FFI_DLL void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  *result = raised;
  raised = NULL;
}

TVM_FFI_DLL void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  if (error) TVMFFIObjectIncRef(error);
  if (raised) TVMFFIObjectDecRef(raised);
  raised = error;
}

TVM_FFI_DLL void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  TVMFFIByteArray of_kind = {kind, strlen(kind)}, of_message = {message, strlen(message)};
  TVMFFIObjectHandle error = TVMFFIErrorCreate(&of_kind, &of_message, TVMFFITraceback(NULL, 0, NULL, 0));
  TVMFFIErrorSetRaised(error);
  TVMFFIObjectDecRef(error);
}

TVM_FFI_DLL const TVMFFIByteArray* TVMFFITraceback(const char* filename, int lineno, const char* func,
                                                   int cross_ffi_boundary) {
  static _Thread_local char line[512];
  static _Thread_local TVMFFIByteArray traceback;
  (void)cross_ffi_boundary;
  int size = filename && func ? snprintf(line, sizeof line, "  File \"%s\", line %d, in %s\n", filename, lineno, func) : 0;
  traceback = (TVMFFIByteArray){line, size < (int)sizeof line ? (size_t)size : sizeof line - 1};
  return &traceback;
}

/* ---- Functions --------------------------------------------------------------------------------------------------- */

/** A function object with what its callback is handed. C++ clients would look for an entry of theirs at cxx_call. */
typedef struct {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
  void* cxx_call;
  void* self;
  TVMFFISafeCallType callback;
  void (*deleter)(void* self);
} Function;

static int call(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  Function* function = handle;
  return function->callback(function->self, args, num_args, result);
}

static void delete_function(void* self, int flags) {
  Function* function = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) function->deleter(function->self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(function);
}

TVM_FFI_DLL int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self),
                                     TVMFFIObjectHandle* out) {
  Function* function = calloc(1, sizeof(Function));
  if (!function) abort();
  function->header.type_index = kTVMFFIFunction;
  function->header.weak_ref_count = 1;
  function->header.strong_ref_count = 1;
  function->header.deleter = delete_function;
  function->cell.safe_call = call;
  function->self = self;
  function->callback = safe_call;
  function->deleter = deleter;
  *out = function;
  return 0;
}

TVM_FFI_DLL int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return ((Function*)func)->cell.safe_call(func, args, num_args, result);
}

TVM_FFI_DLL int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  (void)name;
  *out = NULL;
  return 0;
}

TVM_FFI_DLL int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  (void)type_key, (void)out_tindex;
  TVMFFIErrorSetRaisedFromCStr("KeyError", "no type has this key");
  return -1;
}
