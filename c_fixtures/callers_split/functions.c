/* Functions of the split generation, data types, and the allocator of tensors. */
#include "objects.h"

/* Some builds of the time lack them. */
#pragma weak TVMFFIEnvSetTensorAllocator
#pragma weak TVMFFIEnvGetTensorAllocator

#include <pthread.h>

/** What the latest call of a callback was given. */
static void* seen_self;
static int calls;

static int remember(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  seen_self = self;
  calls += 1;
  *result = any_int(num_args > 0 ? args[0].v_int64 + 1 : 0);
  return 0;
}

/** A function can be called through the C entry at byte 24 of the object. */
CALLER(safe_call_at_24) {
  TVMFFIObjectHandle function = NULL;
  TVMFFISafeCallType entry = NULL;
  TVMFFIAny arg = any_int(41), result = any_none();
  int closure = 0, code = -1;
  CLAUSE(t, "SPL-0024");
  CHECK_OK(t, TVMFFIFunctionCreate(&closure, remember, end_closure, &function));
  memcpy(&entry, (char*)function + 24, sizeof(entry));
  CHECK_EQ_INT(t, "whether there is an entry", entry != NULL, 1);
  CALL(t, code = entry(function, &arg, 1, &result));
  CHECK_EQ_INT(t, "what the call answers", code, 0);
  CHECK_EQ_INT(t, "the result", result.v_int64, 42);
  CLAUSE(t, "SPL-0025");
  CHECK_EQ_PTR(t, "self", seen_self, &closure);
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  return 0;
}

/** A callback is handed the closure that its function was made with. */
CALLER(callback_gets_self) {
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny arg = any_int(1), result = any_none();
  int closure = 0;
  CLAUSE(t, "SPL-0025");
  CHECK_OK(t, TVMFFIFunctionCreate(&closure, remember, end_closure, &function));
  CHECK_OK(t, TVMFFIFunctionCall(function, &arg, 1, &result));
  CHECK_EQ_PTR(t, "self", seen_self, &closure);
  CHECK_EQ_INT(t, "the result", result.v_int64, 2);
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  return 0;
}

/**
 * A callback whose function was made with NULL for a closure is handed NULL.
 *
 * One without a deleter is kept to the end of the process: builds of the time call it all the same.
 */
CALLER(callback_gets_null) {
  static TVMFFIObjectHandle bare = NULL;
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = any_none();
  int here = 0;
  CLAUSE(t, "SPL-0026");
  CHECK_OK(t, TVMFFIFunctionCreate(NULL, remember, end_closure, &function));
  seen_self = &here;
  CHECK_OK(t, TVMFFIFunctionCall(function, NULL, 0, &result));
  CHECK_EQ_PTR(t, "self", seen_self, NULL);
  CHECK_OK(t, TVMFFIFunctionCreate(NULL, remember, NULL, &bare));
  seen_self = &here;
  CHECK_OK(t, TVMFFIFunctionCall(bare, NULL, 0, &result));
  CHECK_EQ_PTR(t, "self without a deleter", seen_self, NULL);
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  return 0;
}

/** The deleter of a closure runs once, after the last strong reference, also when the function is held weakly. */
CALLER(closure_ends_once) {
  TVMFFIObjectHandle function = NULL;
  int ends = 0;
  CLAUSE(t, "SPL-0027");
  CHECK_OK(t, TVMFFIFunctionCreate(&ends, remember, count_end, &function));
  CHECK_OK(t, TVMFFIObjectIncRef(function));
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  CHECK_EQ_INT(t, "ends of the closure while the function is held", ends, 0);
  take_weak(function);
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  CHECK_EQ_INT(t, "ends of the closure with a weak reference left", ends, 1);
  CALL(t, drop_weak(function));
  CHECK_EQ_INT(t, "ends of the closure", ends, 1);
  return 0;
}

/** The data type `bool` is an unsigned integer of one bit, read and written. */
CALLER(bool_is_one_bit) {
  TVMFFIByteArray name = text_of("bool");
  DLDataType dtype = {0, 0, 0};
  TVMFFIAny text = any_none();
  CLAUSE(t, "SPL-0032");
  CHECK_OK(t, TVMFFIDataTypeFromString(&name, &dtype));
  CHECK_EQ_INT(t, "code", dtype.code, kDLUInt);
  CHECK_EQ_INT(t, "bits", dtype.bits, 1);
  CHECK_EQ_INT(t, "lanes", dtype.lanes, 1);
  CHECK_OK(t, TVMFFIDataTypeToString(&dtype, &text));
  CHECK_EQ_TEXT(t, "name", content_of(&text), "bool");
  release(&text);
  return 0;
}

/* ---- The allocator of tensors ------------------------------------------------------------------------------------ */

static int first_allocator(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
                           void (*set_error)(void*, const char*, const char*)) {
  (void)prototype, (void)out, (void)error_ctx, (void)set_error;
  return -1;
}

static int second_allocator(DLTensor* prototype, DLManagedTensorVersioned** out, void* error_ctx,
                            void (*set_error)(void*, const char*, const char*)) {
  return first_allocator(prototype, out, error_ctx, set_error);
}

static void* ask_elsewhere(void* answer) {
  *(DLPackTensorAllocator*)answer = TVMFFIEnvGetTensorAllocator();
  return NULL;
}

/** What TVMFFIEnvGetTensorAllocator answers on another thread. */
static DLPackTensorAllocator elsewhere(void) {
  DLPackTensorAllocator answer = NULL;
  pthread_t thread;
  if (pthread_create(&thread, NULL, ask_elsewhere, &answer) == 0) pthread_join(thread, NULL);
  return answer;
}

/** The allocator that is set for a thread is that thread's, one that is set for the process everybody's who has none. */
CALLER(tensor_allocator) {
  DLPackTensorAllocator got = NULL;
  CLAUSE(t, "SPL-0031");
  CHECK_EQ_INT(t, "whether there are functions for it", TVMFFIEnvSetTensorAllocator && TVMFFIEnvGetTensorAllocator, 1);
  CALL(t, got = TVMFFIEnvGetTensorAllocator());
  CHECK_EQ_INT(t, "whether there is none to begin with", got == NULL, 1);
  CHECK_OK(t, TVMFFIEnvSetTensorAllocator(first_allocator, 0, NULL));
  CALL(t, got = TVMFFIEnvGetTensorAllocator());
  CHECK_EQ_INT(t, "whether it is the thread's", got == first_allocator, 1);
  CALL(t, got = elsewhere());
  CHECK_EQ_INT(t, "whether another thread has none", got == NULL, 1);
  CHECK_OK(t, TVMFFIEnvSetTensorAllocator(second_allocator, 1, NULL));
  CALL(t, got = elsewhere());
  CHECK_EQ_INT(t, "whether another thread has that of the process", got == second_allocator, 1);
  CHECK_OK(t, TVMFFIEnvSetTensorAllocator(first_allocator, 0, NULL));
  CALL(t, got = TVMFFIEnvGetTensorAllocator());
  CHECK_EQ_INT(t, "whether the thread's comes before that of the process", got == first_allocator, 1);
  return 0;
}
