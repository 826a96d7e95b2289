/* Modules: libraries of functions as code generators of the time wrote them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>

#include "caller.h"

static TVMModuleHandle load(struct caller* t, const char* name) {
  TVMModuleHandle mod = NULL;
  int code;
  CALL(t, code = TVMModLoadFromFile(operators_of(t, name), "", &mod));
  if (code != 0) t->unmet(t->context, "TVMModLoadFromFile", "0", TVMGetLastError());
  return mod;
}

static TVMFunctionHandle function_of(struct caller* t, TVMModuleHandle mod, const char* name) {
  TVMFunctionHandle f = NULL;
  int code;
  CALL(t, code = TVMModGetFunction(mod, name, 0, &f));
  if (code != 0 || !f) t->unmet(t->context, name, "a function", code ? TVMGetLastError() : "NULL");
  return f;
}

#define LOAD(t, mod, name)           \
  TVMModuleHandle mod = load(t, name); \
  if (!mod) return 1
#define FUNCTION(t, f, mod, name)                 \
  TVMFunctionHandle f = function_of(t, mod, name); \
  if (!f) return 1

/** A library that is loaded finds its module and seven functions, and nothing in places of other names. */
CALLER(places_of_a_library_are_filled) {
  TVMValue ret;
  int ret_code;
  LOAD(t, mod, "operators");
  CLAUSE(t, "LEG-0029");
  {
    FUNCTION(t, f, mod, "count_places");
    CHECK_OK(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
    CHECK_EQ_INT(t, "functions that were filled in", ret.v_int64, 7);
    CHECK_OK(t, TVMFuncFree(f));
  }
  {
    FUNCTION(t, f, mod, "other_place");
    CHECK_OK(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
    CHECK_EQ_PTR(t, "place that nobody fills", ret.v_handle, NULL);
    CHECK_OK(t, TVMFuncFree(f));
  }
  {
    FUNCTION(t, f, mod, "context");
    CHECK_OK(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
    CHECK_EQ_PTR(t, "module", (char*)ret.v_handle + 8, mod);
    CHECK_OK(t, TVMFuncFree(f));
  }
  CHECK_OK(t, TVMModFree(mod));
  return 0;
}

/** A generated function adds two arrays, as its kind does, and refuses what it does not understand. */
CALLER(generated_functions_are_called) {
  int64_t shape[1] = {8};
  float a[8], b[8], c[8] = {0};
  DLTensor tensors[3] = {{a, {kDLCPU, 0}, 1, {2, 32, 1}, shape, NULL, 0},
                         {b, {kDLCPU, 0}, 1, {2, 32, 1}, shape, NULL, 0},
                         {c, {kDLCPU, 0}, 1, {2, 32, 1}, shape, NULL, 0}};
  TVMValue args[3], ret;
  int codes[3] = {kTVMDLTensorHandle, kTVMDLTensorHandle, kTVMDLTensorHandle}, ret_code = 0, i;
  LOAD(t, mod, "operators");
  FUNCTION(t, add, mod, "add");
  CLAUSE(t, "LEG-0003");
  for (i = 0; i < 8; ++i) a[i] = i, b[i] = 10 * i;
  for (i = 0; i < 3; ++i) args[i] = value_of_handle(&tensors[i]);
  CHECK_OK(t, TVMFuncCall(add, args, codes, 3, &ret, &ret_code));
  CHECK_EQ_INT(t, "code of no result", ret_code, kTVMNullptr);
  for (i = 0; i < 8; ++i) CHECK_EQ_INT(t, "sum", c[i], 11 * i);
  CLAUSE(t, "LEG-0011");
  CHECK_FAILS(t, TVMFuncCall(add, args, codes, 2, &ret, &ret_code), "num_args should be 3");
  CHECK_OK(t, TVMFuncFree(add));
  CHECK_OK(t, TVMModFree(mod));
  return 0;
}

/** A generated function is called without a resource and with code 4, and its object moves to the caller. */
CALLER(object_of_a_library_moves) {
  TVMValue ret, arg;
  int ret_code, code = kTVMObjectHandle;
  TVMObjectHandle object = string_object("moving");
  LOAD(t, mod, "operators");
  CLAUSE(t, "LEG-0030");
  {
    FUNCTION(t, f, mod, "what_it_is_given");
    CHECK_OK(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
    CHECK_EQ_INT(t, "code beforehand, plus 1000 with a resource", ret.v_int64, kTVMNullptr);
    CHECK_OK(t, TVMFuncFree(f));
  }
  {
    FUNCTION(t, f, mod, "give_argument_away");
    CHECK_NOT_NULL(t, "object", object);
    CHECK_OK(t, TVMObjectRetain(object));
    arg = value_of_handle(object);
    CHECK_OK(t, TVMFuncCall(f, &arg, &code, 1, &ret, &ret_code));
    CHECK_EQ_PTR(t, "result", ret.v_handle, object);
    CHECK_EQ_INT(t, "references", count_of(object), 2);
    CHECK_OK(t, TVMFuncFree(f));
    CHECK_OK(t, TVMObjectFree(ret.v_handle));
    CHECK_OK(t, TVMObjectFree(object));
  }
  CHECK_OK(t, TVMModFree(mod));
  return 0;
}

/** A generated function that answers text, bytes or an r-value reference fails, and one that fails gives its error. */
CALLER(results_without_owner_are_refused) {
  TVMValue ret, arg;
  int ret_code = 0, code = kTVMArgInt, codes[] = {kTVMStr, kTVMBytes, kTVMObjectRValueRefArg}, i;
  LOAD(t, mod, "operators");
  FUNCTION(t, f, mod, "answer_code");
  CLAUSE(t, "LEG-0031");
  for (i = 0; i < 3; ++i) {
    arg = value_of_int(codes[i]), code = kTVMArgInt;
    CHECK_FAILS(t, TVMFuncCall(f, &arg, &code, 1, &ret, &ret_code), NULL);
  }
  {
    FUNCTION(t, failing, mod, "fail");
    CLAUSE(t, "LEG-0008");
    CHECK_FAILS(t, TVMFuncCall(failing, NULL, NULL, 0, &ret, &ret_code), "the operator failed");
    CHECK_OK(t, TVMFuncFree(failing));
  }
  CHECK_OK(t, TVMFuncFree(f));
  CHECK_OK(t, TVMModFree(mod));
  return 0;
}

/** A function that a library does not have is NULL with success, and its entry is named by a text. */
CALLER(missing_functions_and_entries) {
  TVMFunctionHandle f = (TVMFunctionHandle)t;
  TVMValue ret;
  int ret_code;
  LOAD(t, mod, "operators");
  CLAUSE(t, "LEG-0032");
  CHECK_OK(t, TVMModGetFunction(mod, "no_such_function", 1, &f));
  CHECK_EQ_PTR(t, "function", f, NULL);
  CHECK_OK(t, TVMModGetFunction(mod, "__tvm_main__", 0, &f));
  CHECK_NOT_NULL(t, "entry", f);
  CHECK_OK(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
  CHECK_EQ_INT(t, "result of the entry", ret.v_int64, 2021);
  CHECK_OK(t, TVMFuncFree(f));
  {
    LOAD(t, other, "answers_one");
    CHECK_FAILS(t, TVMModGetFunction(other, "__tvm_main__", 0, &f), "__tvm_main__");
    CHECK_OK(t, TVMModFree(other));
  }
  CHECK_OK(t, TVMModFree(mod));
  return 0;
}

/** A library stays loaded until its module and its last function are freed. */
CALLER(library_stays_loaded) {
  const char* path = operators_of(t, "answers_two");
  TVMValue ret;
  int ret_code;
  LOAD(t, mod, "answers_two");
  FUNCTION(t, f, mod, "answer");
  CLAUSE(t, "LEG-0033");
  CHECK_OK(t, TVMModFree(mod));
  CHECK_NOT_NULL(t, "library while a function is held", dlopen(path, RTLD_NOW | RTLD_NOLOAD));
  CHECK_OK(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
  CHECK_EQ_INT(t, "result", ret.v_int64, 2);
  CHECK_EQ_INT(t, "dlclose", dlclose(dlopen(path, RTLD_NOW | RTLD_NOLOAD)) | dlclose(dlopen(path, RTLD_NOW | RTLD_NOLOAD)), 0);
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

static int answer_global(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  TVMValue value = value_of_int((intptr_t)resource);
  int code = kTVMArgInt;
  (void)args, (void)codes, (void)count;
  return TVMCFuncSetReturn(ret, &value, &code, 1);
}

static int call_found(void* context, const char* name, int64_t* answer) {
  TVMFunctionHandle f = NULL;
  TVMValue ret;
  int code;
  if (TVMBackendGetFuncFromEnv(context, name, &f) != 0 || !f) return -1;
  if (TVMFuncCall(f, NULL, NULL, 0, &ret, &code) != 0) return -1;
  *answer = ret.v_int64;
  return 0;
}

/** Generated code finds functions of imports before global ones, is lent them, and is told what is missing. */
CALLER(functions_are_found_from_the_environment) {
  TVMFunctionHandle global = NULL, lent = NULL, again = NULL;
  void* context;
  int64_t answer = 0;
  LOAD(t, mod, "operators");
  LOAD(t, import, "answers_one");
  CLAUSE(t, "LEG-0034");
  context = (char*)mod - 8;
  CHECK_OK(t, TVMModImport(mod, import));
  CHECK_OK(t, TVMFuncCreateFromCFunc(answer_global, (void*)9, NULL, &global));
  CHECK_OK(t, TVMFuncRegisterGlobal("answer", global, 0));
  CHECK_OK(t, TVMFuncRegisterGlobal("only_global", global, 0));
  CHECK_OK(t, call_found(context, "answer", &answer));
  CHECK_EQ_INT(t, "answer of the import", answer, 1);
  CHECK_OK(t, call_found(context, "only_global", &answer));
  CHECK_EQ_INT(t, "answer of the global function", answer, 9);
  CHECK_OK(t, TVMBackendGetFuncFromEnv(context, "answer", &lent));
  CHECK_OK(t, TVMBackendGetFuncFromEnv(context, "answer", &again));
  CHECK_EQ_PTR(t, "function that was lent twice", again, lent);
  CHECK_OK(t, call_found(context, "answer", &answer));
  CHECK_FAILS(t, TVMBackendGetFuncFromEnv(context, "nobody_has_this", &lent), "nobody_has_this");
  CHECK_OK(t, TVMFuncFree(global));
  CHECK_OK(t, TVMModFree(import));
  CHECK_OK(t, TVMModFree(mod));
  return 0;
}

/** A module does not import itself, nor one that imports it. */
CALLER(circles_are_refused) {
  LOAD(t, one, "answers_one");
  LOAD(t, two, "answers_two");
  LOAD(t, three, "operators");
  CLAUSE(t, "LEG-0035");
  CHECK_FAILS(t, TVMModImport(one, one), NULL);
  CHECK_OK(t, TVMModImport(one, two));
  CHECK_OK(t, TVMModImport(two, three));
  CHECK_FAILS(t, TVMModImport(three, one), NULL);
  CHECK_OK(t, TVMModFree(three));
  CHECK_OK(t, TVMModFree(two));
  CHECK_OK(t, TVMModFree(one));
  return 0;
}

static int system_function(TVMValue* args, int* codes, int count, TVMValue* ret, int* ret_code, void* resource) {
  (void)args, (void)codes, (void)count, (void)resource;
  ret->v_int64 = 64, *ret_code = kTVMArgInt;
  return 0;
}

/** What is registered as a symbol of the system library is a function of its module. */
CALLER(system_library_has_what_is_registered) {
  TVMValue mod, ret;
  TVMFunctionHandle f = NULL;
  int ret_code;
  CLAUSE(t, "LEG-0045");
  CHECK_OK(t, TVMBackendRegisterSystemLibSymbol("legacy_callers_symbol", (void*)(uintptr_t)system_function));
  CHECK_OK(t, call_global("runtime.SystemLib", NULL, NULL, 0, &mod, &ret_code));
  CHECK_EQ_INT(t, "code", ret_code, kTVMModuleHandle);
  CHECK_OK(t, TVMModGetFunction(mod.v_handle, "legacy_callers_symbol", 0, &f));
  CHECK_NOT_NULL(t, "function", f);
  CHECK_OK(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
  CHECK_EQ_INT(t, "result", ret.v_int64, 64);
  CHECK_OK(t, TVMFuncFree(f));
  CHECK_OK(t, TVMModFree(mod.v_handle));
  return 0;
}
