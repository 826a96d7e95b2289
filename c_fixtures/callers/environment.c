/* The environment: streams, signals, and symbols of modules. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include <dlfcn.h>

#include "caller.h"

static int stream_of_mine;

/** A stream set for one device is answered for that device alone and given out when it is replaced. */
CALLER(stream) {
  TVMFFIStreamHandle before = NULL, current = NULL, mine = NULL, other = NULL;
  CALL(t, other = TVMFFIEnvGetStream(kDLCUDA, 0));
  CLAUSE(t, "ENV-0002");
  CHECK_OK(t, TVMFFIEnvSetStream(kDLCUDA, 1, &stream_of_mine, &before));
  CALL(t, current = TVMFFIEnvGetStream(kDLCUDA, 1));
  CHECK_EQ_PTR(t, "the stream that was set", current, &stream_of_mine);
  CLAUSE(t, "ENV-0003");
  CALL(t, current = TVMFFIEnvGetStream(kDLCUDA, 0));
  CHECK_EQ_PTR(t, "the stream of another device", current, other);
  CLAUSE(t, "ENV-0004");
  CHECK_OK(t, TVMFFIEnvSetStream(kDLCUDA, 1, before, &mine));
  CHECK_EQ_PTR(t, "the stream before", mine, &stream_of_mine);
  CHECK_OK(t, TVMFFIEnvSetStream(kDLCUDA, 1, NULL, NULL));
  return 0;
}

/* ---- Functions that a Python frontend registers ------------------------------------------------------------------ */

static int pending;
static int locked;
static int asked_while_locked;

static int check_signals(void) {
  asked_while_locked = locked;
  return pending;
}

static int lock(void) {
  locked += 1;
  return 7;
}

static void unlock(int state) { locked -= state == 7; }

static void* address_of(const void* pointer_to_function) {
  void* address;
  memcpy(&address, pointer_to_function, sizeof(address));
  return address;
}

/** TVMFFIEnvCheckSignals asks the frontend's function while it holds the frontend's lock. */
CALLER(signals) {
  int (*check)(void) = check_signals;
  int (*ensure)(void) = lock;
  void (*leave)(int) = unlock;
  int code = 0;
  CLAUSE(t, "ENV-0030");
  CHECK_OK(t, TVMFFIEnvRegisterCAPI("PyErr_CheckSignals", address_of(&check)));
  CHECK_OK(t, TVMFFIEnvRegisterCAPI("PyGILState_Ensure", address_of(&ensure)));
  CHECK_OK(t, TVMFFIEnvRegisterCAPI("PyGILState_Release", address_of(&leave)));
  CLAUSE(t, "ENV-0027");
  pending = 0;
  CALL(t, code = TVMFFIEnvCheckSignals());
  CHECK_EQ_INT(t, "answer when no signal is pending", code, 0);
  pending = -1;
  CALL(t, code = TVMFFIEnvCheckSignals());
  CHECK_EQ_INT(t, "whether the answer is 0 when a signal is pending", code == 0, 0);
  CLAUSE(t, "ENV-0028");
  CHECK_EQ_INT(t, "locks held while the frontend was asked", asked_while_locked, 1);
  CHECK_EQ_INT(t, "locks held afterwards", locked, 0);
  pending = 0;
  return 0;
}

/** TVMFFIEnvRegisterCAPI refuses a name that it does not know with a ValueError. */
CALLER(unknown_frontend_function) {
  int (*check)(void) = check_signals;
  CLAUSE(t, "ENV-0031");
  CHECK_FAILS(t, TVMFFIEnvRegisterCAPI("PyErr_NoSuchFunction", address_of(&check)), "ValueError");
  return 0;
}

/* ---- Symbols of modules ------------------------------------------------------------------------------------------ */

static int forty_two(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)handle;
  (void)args;
  (void)num_args;
  *result = any_int(42);
  return 0;
}

static int call_global(struct caller* t, const char* name, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray text = text_of(name);
  TVMFFIObjectHandle function = NULL;
  CHECK_OK(t, TVMFFIFunctionGetGlobal(&text, &function));
  CHECK_NOT_NULL(t, name, function);
  CHECK_OK(t, TVMFFIFunctionCall(function, args, num_args, result));
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  return 0;
}

/** A registered symbol is found as a function of the system library. */
CALLER(system_library) {
  TVMFFISafeCallType callee = forty_two;
  TVMFFIAny args[3], module = any_none(), function = any_none(), result = any_none();
  CLAUSE(t, "MOD-0033");
  CHECK_OK(t, TVMFFIEnvModRegisterSystemLibSymbol("__tvm_ffi_c_fixture_forty_two", address_of(&callee)));
  if (call_global(t, "ffi.SystemLib", NULL, 0, &module)) return 1;
  CHECK_EQ_INT(t, "type index of the system library", module.type_index, kTVMFFIModule);
  args[0] = module;
  args[1] = any_ptr(kTVMFFIRawStr, "c_fixture_forty_two");
  args[2] = any_of(kTVMFFIBool, 0);
  if (call_global(t, "ffi.ModuleGetFunction", args, 3, &function)) return 1;
  CHECK_EQ_INT(t, "type index of the function", function.type_index, kTVMFFIFunction);
  CHECK_OK(t, TVMFFIFunctionCall(function.v_obj, NULL, 0, &result));
  CHECK_EQ_INT(t, "result", result.v_int64, 42);
  release(&function);
  release(&module);
  return 0;
}

/* This library is a module, too: it loads itself. */
CALLER_LINKAGE TVM_FFI_DLL_EXPORT void* __tvm_ffi__library_ctx;
CALLER_LINKAGE TVM_FFI_DLL_EXPORT void* c_fixture_context;
void* __tvm_ffi__library_ctx = NULL;
void* c_fixture_context = NULL;

static int load_this_library(struct caller* t, TVMFFIAny* module) {
  Dl_info info;
  TVMFFIAny args[2];
  CHECK_EQ_INT(t, "whether the fixture can find itself", dladdr(&c_fixture_context, &info) != 0, 1);
  args[0] = any_ptr(kTVMFFIRawStr, info.dli_fname);
  args[1] = any_of(kTVMFFISmallStr, 0);
  return call_global(t, "ffi.Module.load_from_file.so", args, 2, module);
}

/** A library that exports a context symbol gets its registered value when it is loaded. */
CALLER(context_symbol) {
  static int token;
  TVMFFIAny module = any_none();
  CLAUSE(t, "MOD-0030");
  CHECK_OK(t, TVMFFIEnvModRegisterContextSymbol("c_fixture_context", &token));
  if (load_this_library(t, &module)) return 1;
  CHECK_EQ_PTR(t, "the library's pointer of that name", c_fixture_context, &token);
  release(&module);
  return 0;
}

/** A library finds a global function through its context, and an unknown name raises an error. */
CALLER(lookup_from_imports) {
  TVMFFIByteArray name = text_of("c_fixture.imported");
  TVMFFISafeCallType callee = forty_two;
  TVMFFIObjectHandle function = NULL, found = NULL;
  TVMFFIAny module = any_none(), result = any_none();
  CHECK_OK(t, TVMFFIFunctionCreate(NULL, callee, NULL, &function));
  CHECK_OK(t, TVMFFIFunctionSetGlobal(&name, function, 0));
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  CLAUSE(t, "MOD-0024");
  if (load_this_library(t, &module)) return 1;
  CHECK_NOT_NULL(t, "the library's context", __tvm_ffi__library_ctx);
  CLAUSE(t, "MOD-0026");
  CHECK_OK(t, TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, "c_fixture.imported", &found));
  CHECK_OK(t, TVMFFIFunctionCall(found, NULL, 0, &result));
  CHECK_EQ_INT(t, "result", result.v_int64, 42);
  CLAUSE(t, "MOD-0027");
  CHECK_FAILS(t, TVMFFIEnvModLookupFromImports(__tvm_ffi__library_ctx, "c_fixture.absent", &found), NULL);
  release(&module);
  return 0;
}
