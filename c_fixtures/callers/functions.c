/* Functions of a client: called by the library, by other callees and by name. */
#include "caller.h"

/* ---- Callees ----------------------------------------------------------------------------------------------------- */

/** Answers the sum of its integers. */
static int sum(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int64_t total = 0;
  int32_t i;
  (void)handle;
  for (i = 0; i < num_args; ++i) {
    if (args[i].type_index != kTVMFFIInt) {
      TVMFFIErrorSetRaisedFromCStr("TypeError", "sum takes integers");
      return -1;
    }
    total += args[i].v_int64;
  }
  *result = any_int(total);
  return 0;
}

struct counter {
  int64_t calls;
  int ends;
};

/** A closure over a counter. */
static int count_up(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)args;
  (void)num_args;
  *result = any_int(++((struct counter*)self)->calls);
  return 0;
}

static void end_counter(void* self) { ((struct counter*)self)->ends += 1; }

/** Calls its first argument with the rest, as a higher-order function does. */
static int apply(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)handle;
  return TVMFFIFunctionCall(args[0].v_obj, (TVMFFIAny*)(uintptr_t)(args + 1), num_args - 1, result);
}

/** Answers its one argument, as an owned value. */
static int identity(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)handle;
  (void)num_args;
  return TVMFFIAnyViewToOwnedAny(&args[0], result);
}

static TVMFFIObjectHandle new_function(struct caller* t, TVMFFISafeCallType callee) {
  TVMFFIObjectHandle function = NULL;
  CALL(t, TVMFFIFunctionCreate(NULL, callee, NULL, &function));
  return function;
}

/* ---- Callers ----------------------------------------------------------------------------------------------------- */

/** A function made of a callback gets the arguments of a call and gives back the result. */
CALLER(function_call) {
  TVMFFIAny args[3], result = any_none();
  TVMFFIObjectHandle function = NULL;
  args[0] = any_int(1);
  args[1] = any_int(20);
  args[2] = any_int(300);
  CLAUSE(t, "FUN-0002");
  CHECK_OK(t, TVMFFIFunctionCreate(NULL, sum, NULL, &function));
  CHECK_NOT_NULL(t, "the function", function);
  CHECK_EQ_INT(t, "strong count", strong_count_of(function), 1);
  CLAUSE(t, "FUN-0007");
  CHECK_OK(t, TVMFFIFunctionCall(function, args, 3, &result));
  CLAUSE(t, "FUN-0010");
  CHECK_EQ_INT(t, "type index of the result", result.type_index, kTVMFFIInt);
  CHECK_EQ_INT(t, "sum", result.v_int64, 321);
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  return 0;
}

/** A function keeps the state it was made with, and its deleter runs once, with the last reference. */
CALLER(closure) {
  struct counter counter;
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = any_none();
  counter.calls = 0;
  counter.ends = 0;
  CLAUSE(t, "FUN-0003");
  CHECK_OK(t, TVMFFIFunctionCreate(&counter, count_up, end_counter, &function));
  CHECK_OK(t, TVMFFIFunctionCall(function, NULL, 0, &result));
  CHECK_OK(t, TVMFFIFunctionCall(function, NULL, 0, &result));
  CHECK_EQ_INT(t, "calls that the closure counted", counter.calls, 2);
  CHECK_EQ_INT(t, "result of the second call", result.v_int64, 2);
  CLAUSE(t, "FUN-0005");
  CHECK_EQ_INT(t, "calls of the deleter while the function lives", counter.ends, 0);
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  CHECK_EQ_INT(t, "calls of the deleter", counter.ends, 1);
  return 0;
}

/** The error that a callee raises reaches its caller with kind and message. */
CALLER(failing_callee) {
  TVMFFIAny arg = any_ptr(kTVMFFIRawStr, "one"), result = any_none();
  TVMFFIObjectHandle function = new_function(t, sum), error = NULL;
  int code = 0;
  CLAUSE(t, "FUN-0012");
  CALL(t, code = TVMFFIFunctionCall(function, &arg, 1, &result));
  CHECK_EQ_INT(t, "whether the call answers success", code == 0, 0);
  CLAUSE(t, "FUN-0014");
  CALL(t, TVMFFIErrorMoveFromRaised(&error));
  CHECK_NOT_NULL(t, "the raised error", error);
  CHECK_EQ_TEXT(t, "kind", ERROR_CELL(error)->kind, "TypeError");
  CHECK_EQ_TEXT(t, "message", ERROR_CELL(error)->message, "sum takes integers");
  CHECK_OK(t, TVMFFIObjectDecRef(error));
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  return 0;
}

/** A callee calls the function that it was given and keeps no reference to it. */
CALLER(callback) {
  TVMFFIObjectHandle outer = new_function(t, apply), inner = new_function(t, sum);
  TVMFFIAny args[3], result = any_none();
  args[0] = any_object(inner);
  args[1] = any_int(4);
  args[2] = any_int(5);
  CLAUSE(t, "FUN-0018");
  CHECK_OK(t, TVMFFIFunctionCall(outer, args, 3, &result));
  CHECK_EQ_INT(t, "result", result.v_int64, 9);
  CLAUSE(t, "FUN-0015");
  CHECK_EQ_INT(t, "strong count of the function that was passed", strong_count_of(inner), 1);
  CHECK_OK(t, TVMFFIObjectDecRef(outer));
  CHECK_OK(t, TVMFFIObjectDecRef(inner));
  return 0;
}

/**
 * A function is called through the safe_call in its cell.
 *
 * Generated code calls functions so, without TVMFFIFunctionCall.
 */
CALLER(call_through_cell) {
  TVMFFIObjectHandle function = new_function(t, identity);
  TVMFFIAny arg = any_ptr(kTVMFFIRawStr, "an argument that becomes a string"), result = any_none();
  TVMFFIFunctionCell* cell = FUNCTION_CELL(function);
  CLAUSE(t, "FUN-0001");
  CHECK_EQ_INT(t, "whether the cell has a safe_call", cell->safe_call != NULL, 1);
  CHECK_EQ_PTR(t, "cpp_call", cell->cpp_call, NULL);
  CLAUSE(t, "FUN-0017");
  CHECK_OK(t, cell->safe_call(function, &arg, 1, &result));
  CHECK_EQ_INT(t, "type index of the result", result.type_index, kTVMFFIStr);
  CHECK_EQ_TEXT(t, "result", content_of(&result), "an argument that becomes a string");
  release(&result);
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  return 0;
}

/** A global function is found by its name and is replaced only on request. */
CALLER(global_function) {
  TVMFFIByteArray name = text_of("c_fixture.sum"), unknown = text_of("c_fixture.nothing");
  TVMFFIObjectHandle function = new_function(t, sum), found = NULL, other = NULL;
  TVMFFIAny arg = any_int(7), result = any_none();
  CLAUSE(t, "GLB-0001");
  CHECK_OK(t, TVMFFIFunctionSetGlobal(&name, function, 0));
  CHECK_OK(t, TVMFFIFunctionGetGlobal(&name, &found));
  CHECK_EQ_PTR(t, "the function of that name", found, function);
  CHECK_OK(t, TVMFFIFunctionCall(found, &arg, 1, &result));
  CHECK_EQ_INT(t, "result", result.v_int64, 7);
  CHECK_OK(t, TVMFFIObjectDecRef(found));
  CLAUSE(t, "GLB-0003");
  CHECK_OK(t, TVMFFIFunctionGetGlobal(&unknown, &other));
  CHECK_EQ_PTR(t, "the function of a name that nobody has set", other, NULL);
  CLAUSE(t, "GLB-0005");
  CHECK_FAILS(t, TVMFFIFunctionSetGlobal(&name, function, 0), NULL);
  CLAUSE(t, "GLB-0007");
  CHECK_OK(t, TVMFFIFunctionSetGlobal(&name, function, 1));
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  return 0;
}

/** A global function registered with a description has its own copy of the name. */
CALLER(described_global_function) {
  TVMFFIMethodInfo info;
  TVMFFIObjectHandle function = new_function(t, sum), found = NULL;
  char name[] = "c_fixture.described";
  TVMFFIByteArray wanted = text_of("c_fixture.described");
  memset(&info, 0, sizeof(info));
  info.name = text_of(name);
  info.doc = text_of("Adds integers.");
  info.metadata = text_of("{}");
  info.flags = kTVMFFIFieldFlagBitMaskIsStaticMethod;
  info.method = any_object(function);
  CLAUSE(t, "GLB-0013");
  CHECK_OK(t, TVMFFIFunctionSetGlobalFromMethodInfo(&info, 0));
  CLAUSE(t, "GLB-0015");
  memset(name, 'x', sizeof(name) - 1);
  CHECK_OK(t, TVMFFIFunctionGetGlobal(&wanted, &found));
  CHECK_EQ_PTR(t, "the function of that name", found, function);
  CHECK_OK(t, TVMFFIObjectDecRef(found));
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  return 0;
}
