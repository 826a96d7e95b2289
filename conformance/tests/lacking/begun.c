/*
 * An implementation of its own that its author has begun: thirteen functions, each of which keeps what is promised of it. Nothing of it is
 * the reference's. With HAS_A_REGISTRY it has come a step further: global functions can be registered, of which it brings none itself.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

#define ONE_OF_EACH (((uint64_t)1 << 32) | 1)

struct text {
  TVMFFIObject header;
  TVMFFIByteArray content;
  char bytes[];
};

struct error {
  TVMFFIObject header;
  TVMFFIErrorCell cell;
};

struct function {
  TVMFFIObject header;
  TVMFFIFunctionCell cell;
  void* self;
  TVMFFISafeCallType callee;
  void (*deleter)(void* self);
};

static TVMFFIObject new_header(int32_t type_index, void (*deleter)(void* self, int flags)) {
  return (TVMFFIObject){.combined_ref_count = ONE_OF_EACH, .type_index = type_index, .deleter = deleter};
}

TVM_FFI_DLL void TVMFFIGetVersion(TVMFFIVersion* out_version) {
  *out_version = (TVMFFIVersion){0, 1, 0};
}

TVM_FFI_DLL int TVMFFIObjectIncRef(TVMFFIObjectHandle obj) {
  atomic_fetch_add_explicit((_Atomic uint64_t*)obj, 1, memory_order_relaxed);
  return 0;
}

TVM_FFI_DLL int TVMFFIObjectDecRef(TVMFFIObjectHandle obj) {
  if (obj == NULL) return 0;
  TVMFFIObject* object = obj;
  _Atomic uint64_t* count = obj;
  const uint64_t before = atomic_fetch_sub_explicit(count, 1, memory_order_acq_rel);
  if ((uint32_t)before != 1 || object->deleter == NULL) return 0;
  if (before == ONE_OF_EACH) {
    object->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return 0;
  }
  object->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (atomic_fetch_sub_explicit(count, (uint64_t)1 << 32, memory_order_acq_rel) >> 32 == 1) {
    object->deleter(obj, kTVMFFIObjectDeleterFlagBitMaskWeak);
  }
  return 0;
}

/* The raised error of a thread ends with the thread, whose destructors find it under this key. */
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void release(void* error) {
  TVMFFIObjectDecRef(error);
}

static void make_key(void) {
  if (pthread_key_create(&key, release) != 0) abort();
}

TVM_FFI_DLL void TVMFFIErrorMoveFromRaised(TVMFFIObjectHandle* result) {
  pthread_once(&once, make_key);
  *result = pthread_getspecific(key);
  pthread_setspecific(key, NULL);
}

TVM_FFI_DLL void TVMFFIErrorSetRaised(TVMFFIObjectHandle error) {
  TVMFFIObjectHandle before;
  TVMFFIErrorMoveFromRaised(&before);
  if (error != NULL) TVMFFIObjectIncRef(error);
  pthread_setspecific(key, error);
  TVMFFIObjectDecRef(before);
}

/* A copy with a NUL behind it; NULL where there is no room. */
static char* copy(const TVMFFIByteArray* text, const TVMFFIByteArray* more) {
  if (text->size > PTRDIFF_MAX - 1 || more->size > PTRDIFF_MAX - 1 - text->size) return NULL;
  char* bytes = malloc(text->size + more->size + 1);
  if (bytes == NULL) return NULL;
  if (text->size > 0) memcpy(bytes, text->data, text->size);
  if (more->size > 0) memcpy(bytes + text->size, more->data, more->size);
  bytes[text->size + more->size] = 0;
  return bytes;
}

static const TVMFFIByteArray NOTHING = {"", 0};

static void update_backtrace(TVMFFIObjectHandle self, const TVMFFIByteArray* backtrace, int32_t update_mode) {
  struct error* error = self;
  const int appends = update_mode == kTVMFFIBacktraceUpdateModeAppend;
  char* bytes = copy(appends ? &error->cell.backtrace : &NOTHING, backtrace);
  if (bytes == NULL) return;
  const size_t size = (appends ? error->cell.backtrace.size : 0) + backtrace->size;
  free((char*)error->cell.backtrace.data);
  error->cell.backtrace = (TVMFFIByteArray){bytes, size};
}

static void end_error(void* self, int flags) {
  struct error* error = self;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    free((char*)error->cell.kind.data);
    free((char*)error->cell.message.data);
    free((char*)error->cell.backtrace.data);
    TVMFFIObjectDecRef(error->cell.cause_chain);
    TVMFFIObjectDecRef(error->cell.extra_context);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(error);
}

TVM_FFI_DLL int TVMFFIErrorCreate(const TVMFFIByteArray* kind, const TVMFFIByteArray* message,
                                  const TVMFFIByteArray* backtrace, TVMFFIObjectHandle* out) {
  struct error* error = calloc(1, sizeof *error);
  if (error == NULL) return -1;
  error->header = new_header(kTVMFFIError, end_error);
  error->cell.kind = (TVMFFIByteArray){copy(kind, &NOTHING), kind->size};
  error->cell.message = (TVMFFIByteArray){copy(message, &NOTHING), message->size};
  error->cell.backtrace = (TVMFFIByteArray){copy(backtrace, &NOTHING), backtrace->size};
  error->cell.update_backtrace = update_backtrace;
  if (!error->cell.kind.data || !error->cell.message.data || !error->cell.backtrace.data) {
    end_error(error, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return -1;
  }
  *out = error;
  return 0;
}

TVM_FFI_DLL void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {
  const TVMFFIByteArray kind_text = {kind, strlen(kind)}, message_text = {message, strlen(message)};
  TVMFFIObjectHandle error;
  if (TVMFFIErrorCreate(&kind_text, &message_text, &NOTHING, &error) != 0) return;
  TVMFFIErrorSetRaised(error);
  TVMFFIObjectDecRef(error);
}

static void end_text(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(self);
}

static int new_text(const TVMFFIByteArray* input, int32_t small, int32_t large, TVMFFIAny* out) {
  const TVMFFIAny none = {0};
  *out = none;
  if (input->size <= sizeof out->v_bytes - 1) {
    out->type_index = small;
    out->small_str_len = (uint32_t)input->size;
    if (input->size > 0) memcpy(out->v_bytes, input->data, input->size);
    return 0;
  }
  const int fits = input->size < PTRDIFF_MAX - sizeof(struct text) - 1;
  struct text* text = fits ? malloc(sizeof *text + input->size + 1) : NULL;
  if (text == NULL) {
    TVMFFIErrorSetRaisedFromCStr("MemoryError", "no room for a text");
    return -1;
  }
  text->header = new_header(large, end_text);
  text->content = (TVMFFIByteArray){text->bytes, input->size};
  memcpy(text->bytes, input->data, input->size);
  text->bytes[input->size] = 0;
  out->type_index = large;
  out->v_obj = &text->header;
  return 0;
}

TVM_FFI_DLL int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return new_text(input, kTVMFFISmallStr, kTVMFFIStr, out);
}

TVM_FFI_DLL int TVMFFIBytesFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  return new_text(input, kTVMFFISmallBytes, kTVMFFIBytes, out);
}

TVM_FFI_DLL int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  const TVMFFIAny view = *any_view;
  if (view.type_index == kTVMFFIRawStr) {
    const TVMFFIByteArray text = {view.v_c_str, strlen(view.v_c_str)};
    return TVMFFIStringFromByteArray(&text, out);
  }
  if (view.type_index == kTVMFFIByteArrayPtr) return TVMFFIBytesFromByteArray(view.v_ptr, out);
  if (view.type_index == kTVMFFIObjectRValueRef) {
    TVMFFIObject** slot = view.v_ptr;
    if (*slot == NULL) {
      TVMFFIErrorSetRaisedFromCStr("TypeError", "what was referred to was moved already");
      return -1;
    }
    *out = (TVMFFIAny){.type_index = (*slot)->type_index, .v_obj = *slot};
    *slot = NULL;
    return 0;
  }
  if (view.type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectIncRef(view.v_obj);
  *out = view;
  return 0;
}

static int call(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct function* function = handle;
  return function->callee(function->self, args, num_args, result);
}

static void end_function(void* self, int flags) {
  struct function* function = self;
  if ((flags & kTVMFFIObjectDeleterFlagBitMaskStrong) && function->deleter) function->deleter(function->self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(function);
}

TVM_FFI_DLL int TVMFFIFunctionCreate(void* self, TVMFFISafeCallType safe_call, void (*deleter)(void* self),
                                     TVMFFIObjectHandle* out) {
  struct function* function = calloc(1, sizeof *function);
  if (function == NULL) {
    TVMFFIErrorSetRaisedFromCStr("MemoryError", "no room for a function");
    return -1;
  }
  function->header = new_header(kTVMFFIFunction, end_function);
  function->cell.safe_call = self || deleter ? call : safe_call;
  function->self = self;
  function->callee = safe_call;
  function->deleter = deleter;
  *out = function;
  return 0;
}

TVM_FFI_DLL int TVMFFIFunctionCall(TVMFFIObjectHandle func, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  return ((struct function*)func)->cell.safe_call(func, args, num_args, result);
}

#ifdef HAS_A_REGISTRY

struct entry {
  struct entry* next;
  TVMFFIObjectHandle function;
  TVMFFIByteArray name;
};

static struct entry* entries;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct entry* find(const TVMFFIByteArray* name) {
  struct entry* entry = entries;
  while (entry && (entry->name.size != name->size || memcmp(entry->name.data, name->data, name->size))) entry = entry->next;
  return entry;
}

TVM_FFI_DLL int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  pthread_mutex_lock(&lock);
  const struct entry* entry = find(name);
  *out = entry ? entry->function : NULL;
  if (entry) TVMFFIObjectIncRef(entry->function);
  pthread_mutex_unlock(&lock);
  return 0;
}

TVM_FFI_DLL int TVMFFIFunctionSetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle f, int override) {
  pthread_mutex_lock(&lock);
  struct entry* entry = find(name);
  TVMFFIObjectHandle before = NULL;
  if (entry && !override) {
    pthread_mutex_unlock(&lock);
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", "there is a function of this name");
    return -1;
  }
  TVMFFIObjectIncRef(f);
  if (entry) {
    before = entry->function;
    entry->function = f;
  } else {
    entry = malloc(sizeof *entry);
    if (entry == NULL) abort();
    *entry = (struct entry){entries, f, {copy(name, &NOTHING), name->size}};
    entries = entry;
  }
  pthread_mutex_unlock(&lock);
  TVMFFIObjectDecRef(before);
  return 0;
}

TVM_FFI_DLL int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  static const char* const keys[] = {"ffi.Object", "ffi.String", "ffi.Bytes", "ffi.Error", "ffi.Function"};
  for (int32_t index = 0; index < 5; ++index) {
    if (type_key->size != strlen(keys[index]) || memcmp(type_key->data, keys[index], type_key->size)) continue;
    *out_tindex = kTVMFFIStaticObjectBegin + index;
    return 0;
  }
  TVMFFIErrorSetRaisedFromCStr("KeyError", "there is no such type");
  return -1;
}

#endif /* HAS_A_REGISTRY */
