/* Functions: what they are called with, and what comes of it. */
#include "caller.h"

struct seen {
  TVMValue* args;
  int* codes;
  int count, code;
  int64_t bits;
  void* resource;
};

static struct seen seen;

/** Looks at what it is given, and writes to both arrays. */
static int look(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  (void)ret;
  seen.args = args, seen.codes = codes, seen.count = count, seen.resource = resource;
  if (count) {
    seen.code = codes[count - 1], seen.bits = args[count - 1].v_int64;
    args[0].v_int64 = 77;
    codes[0] = 42;
  }
  return 0;
}

/** A callback gets the caller's own arrays with unknown codes unread, and the resource pointer of its creation. */
CALLER(callback_gets_the_callers_arrays) {
  static const int unread[] = {15, 99, -3, 1, 8};
  TVMFunctionHandle f = NULL;
  TVMValue args[2], ret;
  int codes[2], ret_code, i;
  CLAUSE(t, "LEG-0001");
  CHECK_OK(t, TVMFuncCreateFromCFunc(look, &seen, NULL, &f));
  for (i = 0; i < 5; ++i) {
    args[0] = value_of_int(1), args[1] = value_of_int(unread[i] == 8 ? 0 : 5 + i);
    codes[0] = kTVMArgInt, codes[1] = unread[i];
    CHECK_OK(t, TVMFuncCall(f, args, codes, 2, &ret, &ret_code));
    CHECK_EQ_PTR(t, "values", seen.args, args);
    CHECK_EQ_PTR(t, "codes", seen.codes, codes);
    CHECK_EQ_INT(t, "number", seen.count, 2);
    CHECK_EQ_PTR(t, "resource", seen.resource, &seen);
    CHECK_EQ_INT(t, "code that was passed", seen.code, unread[i]);
    CHECK_EQ_INT(t, "payload that was passed", seen.bits, unread[i] == 8 ? 0 : 5 + i);
    CHECK_EQ_INT(t, "value that the callback wrote", args[0].v_int64, 77);
    CHECK_EQ_INT(t, "code that the callback wrote", codes[0], 42);
  }
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

/** A function is called without arguments and arrays, and answers code 4 if it sets no result. */
CALLER(nothing_in_and_nothing_out) {
  TVMFunctionHandle f = NULL;
  TVMValue ret = value_of_int(9);
  int ret_code = 9;
  CLAUSE(t, "LEG-0002");
  CHECK_OK(t, TVMFuncCreateFromCFunc(look, NULL, NULL, &f));
  CHECK_OK(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
  CHECK_EQ_INT(t, "number of arguments", seen.count, 0);
  CLAUSE(t, "LEG-0003");
  CHECK_EQ_INT(t, "code of no result", ret_code, kTVMNullptr);
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

/** Answers its argument. */
static int identity(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  (void)count, (void)resource;
  return TVMCFuncSetReturn(ret, args, codes, 1);
}

/** Plain results arrive bit for bit. */
CALLER(plain_results_are_kept_bit_for_bit) {
  static const int codes[] = {kTVMArgInt, kTVMArgFloat, kTVMOpaqueHandle, kDLDevice, kTVMDLTensorHandle};
  static const int64_t payloads[] = {INT64_MIN, -1, 0, 0x7ff0000000000001, 0x4000000000000001};
  TVMFunctionHandle f = NULL;
  DLTensor tensor;
  int i, j;
  CLAUSE(t, "LEG-0004");
  CHECK_OK(t, TVMFuncCreateFromCFunc(identity, NULL, NULL, &f));
  for (i = 0; i < 5; ++i) {
    for (j = 0; j < 5; ++j) {
      TVMValue arg = value_of_int(payloads[j]), ret = value_of_int(1);
      int code = codes[i], ret_code = 9;
      if (code == kTVMDLTensorHandle) arg.v_handle = &tensor;
      CHECK_OK(t, TVMFuncCall(f, &arg, &code, 1, &ret, &ret_code));
      CHECK_EQ_INT(t, "code", ret_code, codes[i]);
      CHECK_EQ_INT(t, "payload", ret.v_int64, arg.v_int64);
    }
  }
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

/** A data type arrives as a text with its name, in the numbering of the generation. */
CALLER(data_type_results_are_names) {
  static const struct {
    DLDataType type;
    const char* name;
  } named[] = {
      {{0, 32, 1}, "int32"},   {{1, 8, 4}, "uint8x4"},      {{2, 64, 1}, "float64"}, {{1, 1, 1}, "bool"},
      {{3, 64, 1}, "handle"}, {{6, 8, 1}, "e4m3_float8"}, {{4, 16, 1}, "bfloat16"},
  };
  TVMFunctionHandle f = NULL;
  TVMValue arg, ret;
  int code, ret_code;
  size_t i;
  CLAUSE(t, "LEG-0005");
  CHECK_OK(t, TVMFuncCreateFromCFunc(identity, NULL, NULL, &f));
  for (i = 0; i < sizeof(named) / sizeof(named[0]); ++i) {
    arg = value_of_int(0), arg.v_type = named[i].type, code = kTVMDataType, ret_code = -1;
    CHECK_OK(t, TVMFuncCall(f, &arg, &code, 1, &ret, &ret_code));
    CHECK_EQ_INT(t, "code", ret_code, kTVMStr);
    CHECK_TEXT(t, "name", ret.v_str, named[i].name);
  }
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

/** Sets a result, and answers the code that the resource points to. */
static int fail_with(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  TVMValue value = value_of_int(5);
  int code = kTVMArgInt;
  (void)args, (void)codes, (void)count;
  TVMCFuncSetReturn(ret, &value, &code, 1);
  TVMAPISetLastError("ValueError: bad value");
  return *(int*)resource;
}

/** Whatever code but 0 a callback answers, the call answers -1 and leaves the places of the result alone. */
CALLER(failure_is_minus_one_and_writes_nothing) {
  static int answers[] = {-1, 1, 5, 7, -2, 0x7fffffff};
  size_t i;
  for (i = 0; i < sizeof(answers) / sizeof(answers[0]); ++i) {
    TVMFunctionHandle f = NULL;
    TVMValue ret = value_of_int(123);
    int ret_code = 45, code;
    CHECK_OK(t, TVMFuncCreateFromCFunc(fail_with, &answers[i], NULL, &f));
    CALL(t, code = TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
    CLAUSE(t, "LEG-0006");
    CHECK_EQ_INT(t, "value of the result", ret.v_int64, 123);
    CHECK_EQ_INT(t, "code of the result", ret_code, 45);
    CLAUSE(t, "LEG-0008");
    CHECK_EQ_INT(t, "answer", code, -1);
    CHECK_OK(t, TVMFuncFree(f));
  }
  return 0;
}

static int codes_of_set[2];

static int set_twice(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  TVMValue values[2];
  int set_codes[2] = {kTVMArgInt, kTVMArgInt};
  (void)args, (void)codes, (void)count, (void)resource;
  values[0] = value_of_int(1), values[1] = value_of_int(2);
  TVMCFuncSetReturn(ret, &values[0], set_codes, 1);
  TVMCFuncSetReturn(ret, &values[1], set_codes, 1);
  values[0] = value_of_int(3);
  codes_of_set[0] = TVMCFuncSetReturn(ret, values, set_codes, 2);
  codes_of_set[1] = TVMCFuncSetReturn(ret, values, set_codes, 0);
  return 0;
}

/** The last result that is set counts, and another number of results than one is refused and sets nothing. */
CALLER(last_result_counts) {
  TVMFunctionHandle f = NULL;
  TVMValue ret;
  int ret_code;
  CLAUSE(t, "LEG-0007");
  CHECK_OK(t, TVMFuncCreateFromCFunc(set_twice, NULL, NULL, &f));
  CHECK_OK(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
  CHECK_EQ_INT(t, "answer for two results", codes_of_set[0], -1);
  CHECK_EQ_INT(t, "answer for no result", codes_of_set[1], -1);
  CHECK_EQ_INT(t, "result", ret.v_int64, 2);
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

static int finalized;
static void* finalized_with;

static void finalize(void* resource) {
  ++finalized;
  finalized_with = resource;
}

/** A finalizer runs once, with its resource even if that is NULL, when the last reference is given up. */
CALLER(finalizer_runs_once) {
  TVMFunctionHandle f = NULL;
  CLAUSE(t, "LEG-0022");
  CHECK_OK(t, TVMFuncCreateFromCFunc(look, &seen, finalize, &f));
  CHECK_OK(t, TVMObjectRetain(f));
  CHECK_OK(t, TVMFuncFree(f));
  CHECK_EQ_INT(t, "finalized while it is held", finalized, 0);
  CHECK_OK(t, TVMFuncFree(f));
  CHECK_EQ_INT(t, "finalized", finalized, 1);
  CHECK_EQ_PTR(t, "resource", finalized_with, &seen);
  CHECK_OK(t, TVMFuncCreateFromCFunc(look, NULL, finalize, &f));
  CHECK_OK(t, TVMFuncFree(f));
  CHECK_EQ_INT(t, "finalized with NULL", finalized, 2);
  CHECK_EQ_PTR(t, "resource", finalized_with, NULL);
  return 0;
}

/* ---- Global functions -------------------------------------------------------------------------------------------- */

/** A global function that was found is the caller's to free, and stays callable. */
CALLER(global_is_given_not_lent) {
  TVMFunctionHandle f = NULL, found = NULL;
  TVMValue ret, arg = value_of_int(4);
  int i, code = kTVMArgInt, ret_code;
  CLAUSE(t, "LEG-0019");
  CHECK_OK(t, TVMFuncCreateFromCFunc(identity, NULL, finalize, &f));
  CHECK_OK(t, TVMFuncRegisterGlobal("legacy_callers.given", f, 0));
  CHECK_OK(t, TVMFuncFree(f));
  for (i = 0; i < 5; ++i) {
    CHECK_OK(t, TVMFuncGetGlobal("legacy_callers.given", &found));
    CHECK_NOT_NULL(t, "found", found);
    CHECK_OK(t, TVMFuncCall(found, &arg, &code, 1, &ret, &ret_code));
    CHECK_EQ_INT(t, "result", ret.v_int64, 4);
    CHECK_OK(t, TVMFuncFree(found));
  }
  CHECK_EQ_INT(t, "finalized", finalized, 0);
  return 0;
}

/** A global function that is missing is NULL with success, and can be removed. */
CALLER(missing_global_is_no_failure) {
  TVMFunctionHandle found = &seen;
  CLAUSE(t, "LEG-0020");
  TVMAPISetLastError("an older text");
  CHECK_OK(t, TVMFuncGetGlobal("legacy_callers.nobody", &found));
  CHECK_EQ_PTR(t, "found", found, NULL);
  CHECK_OK(t, TVMFuncRemoveGlobal("legacy_callers.nobody"));
  CLAUSE(t, "LEG-0010");
  CHECK_TEXT(t, "text after success", TVMGetLastError(), "an older text");
  return 0;
}

static int answer_resource(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  TVMValue value = value_of_int((intptr_t)resource);
  int code = kTVMArgInt;
  (void)args, (void)codes, (void)count;
  return TVMCFuncSetReturn(ret, &value, &code, 1);
}

/** A name that is taken is refused, unless the function is to be replaced. */
CALLER(taken_name_is_refused_or_replaced) {
  TVMFunctionHandle one = NULL, two = NULL;
  TVMValue ret;
  int ret_code;
  CLAUSE(t, "LEG-0021");
  CHECK_OK(t, TVMFuncCreateFromCFunc(answer_resource, (void*)1, NULL, &one));
  CHECK_OK(t, TVMFuncCreateFromCFunc(answer_resource, (void*)2, NULL, &two));
  CHECK_OK(t, TVMFuncRegisterGlobal("legacy_callers.taken", one, 0));
  CHECK_FAILS(t, TVMFuncRegisterGlobal("legacy_callers.taken", two, 0), "legacy_callers.taken");
  CHECK_OK(t, call_global("legacy_callers.taken", NULL, NULL, 0, &ret, &ret_code));
  CHECK_EQ_INT(t, "function after a refusal", ret.v_int64, 1);
  CHECK_OK(t, TVMFuncRegisterGlobal("legacy_callers.taken", two, 1));
  CHECK_OK(t, call_global("legacy_callers.taken", NULL, NULL, 0, &ret, &ret_code));
  CHECK_EQ_INT(t, "function after it was replaced", ret.v_int64, 2);
  CHECK_OK(t, TVMFuncFree(one));
  CHECK_OK(t, TVMFuncFree(two));
  return 0;
}

/** The finalizer of a function that was replaced or removed runs when its last handle is freed. */
CALLER(finalizer_of_a_replaced_global_runs) {
  TVMFunctionHandle f = NULL, other = NULL;
  CLAUSE(t, "LEG-0023");
  CHECK_OK(t, TVMFuncCreateFromCFunc(look, &seen, finalize, &f));
  CHECK_OK(t, TVMFuncCreateFromCFunc(look, &seen, NULL, &other));
  CHECK_OK(t, TVMFuncRegisterGlobal("legacy_callers.replaced", f, 0));
  CHECK_OK(t, TVMFuncRegisterGlobal("legacy_callers.replaced", other, 1));
  CHECK_EQ_INT(t, "finalized while a handle is held", finalized, 0);
  CHECK_OK(t, TVMFuncFree(f));
  CHECK_EQ_INT(t, "finalized after it was replaced", finalized, 1);
  CHECK_OK(t, TVMFuncCreateFromCFunc(look, &seen, finalize, &f));
  CHECK_OK(t, TVMFuncRegisterGlobal("legacy_callers.removed", f, 0));
  CHECK_OK(t, TVMFuncFree(f));
  CHECK_OK(t, TVMFuncRemoveGlobal("legacy_callers.removed"));
  CHECK_EQ_INT(t, "finalized after it was removed", finalized, 2);
  CHECK_OK(t, TVMFuncFree(other));
  return 0;
}

static int is_listed(const char* name) {
  int count = 0, i, found = 0;
  const char** names = NULL;
  if (TVMFuncListGlobalNames(&count, &names) != 0) return -1;
  for (i = 0; i < count; ++i) found += strcmp(names[i], name) == 0;
  return found;
}

/** The list of names has those that are registered, each once, and not those that were removed. */
CALLER(names_are_listed) {
  TVMFunctionHandle f = NULL;
  CLAUSE(t, "LEG-0047");
  CHECK_OK(t, TVMFuncCreateFromCFunc(look, NULL, NULL, &f));
  CHECK_EQ_INT(t, "listed before", is_listed("legacy_callers.listed"), 0);
  CHECK_OK(t, TVMFuncRegisterGlobal("legacy_callers.listed", f, 0));
  CHECK_OK(t, TVMFuncRegisterGlobal("legacy_callers.listed", f, 1));
  CHECK_EQ_INT(t, "listed", is_listed("legacy_callers.listed"), 1);
  CHECK_OK(t, TVMFuncRemoveGlobal("legacy_callers.listed"));
  CHECK_EQ_INT(t, "listed after it was removed", is_listed("legacy_callers.listed"), 0);
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

/** NULL is refused with a text where a function or the place of a result is expected. */
CALLER(null_functions_are_refused) {
  TVMFunctionHandle f = NULL;
  TVMValue ret;
  int ret_code;
  CLAUSE(t, "LEG-0050");
  CHECK_FAILS(t, TVMFuncCall(NULL, NULL, NULL, 0, &ret, &ret_code), "NULL");
  CHECK_FAILS(t, TVMFuncRegisterGlobal("legacy_callers.null", NULL, 0), "NULL");
  CHECK_FAILS(t, TVMFuncCreateFromCFunc(NULL, NULL, NULL, &f), "NULL");
  CHECK_OK(t, TVMFuncCreateFromCFunc(look, NULL, NULL, &f));
  CHECK_FAILS(t, TVMFuncCall(f, NULL, NULL, 0, NULL, &ret_code), "NULL");
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

/** A function of the library's that takes a text refuses type codes that nobody knows, with a text. */
CALLER(unknown_codes_are_refused) {
  static const int codes[] = {1, 16, 99, -3};
  TVMFunctionHandle f = NULL;
  int i;
  CLAUSE(t, "LEG-0051");
  CHECK_OK(t, TVMFuncGetGlobal("runtime.String", &f));
  CHECK_NOT_NULL(t, "runtime.String", f);
  for (i = 0; i < 4; ++i) {
    TVMValue arg = value_of_int(5), ret;
    int code = codes[i], ret_code;
    CHECK_FAILS(t, TVMFuncCall(f, &arg, &code, 1, &ret, &ret_code), "");
  }
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

/** NULL where a name is expected is an error with a text. */
CALLER(null_names_are_errors) {
  TVMFunctionHandle found = &seen;
  TVMModuleHandle mod = &seen;
  char* key = (char*)&seen;
  unsigned index = 7;
  CLAUSE(t, "LEG-0042");
  CHECK_FAILS(t, TVMFuncGetGlobal(NULL, &found), "");
  CHECK_EQ_PTR(t, "place of the function", found, &seen);
  CHECK_FAILS(t, TVMModLoadFromFile("/nonexistent/library.so", "so", &mod), "/nonexistent/library.so");
  CHECK_EQ_PTR(t, "place of the module", mod, &seen);
  CHECK_FAILS(t, TVMObjectTypeIndex2Key(123456, &key), "123456");
  CHECK_EQ_PTR(t, "place of the key", key, &seen);
  CHECK_FAILS(t, TVMObjectTypeKey2Index("legacy_callers.NoType", &index), "legacy_callers.NoType");
  CHECK_EQ_INT(t, "place of the index", index, 7);
  return 0;
}
