/* Errors: their texts, and what changes them. */
#include <pthread.h>

#include "caller.h"

static const char* text_elsewhere;
static char copy_elsewhere[64];

static void* look_elsewhere(void* unused) {
  text_elsewhere = TVMGetLastError();
  TVMAPISetLastError("of another thread");
  snprintf(copy_elsewhere, sizeof(copy_elsewhere), "%s", TVMGetLastError());
  return unused;
}

/** A text is copied whole, whatever its length, and seen on its own thread alone. */
CALLER(text_is_copied_and_of_its_thread) {
  static const size_t length = 1 << 20;
  char* text = (char*)malloc(length + 1);
  pthread_t thread;
  CLAUSE(t, "LEG-0009");
  memset(text, 'x', length);
  text[length] = 0;
  TVMAPISetLastError(text);
  memset(text, 'y', length);
  CHECK_EQ_INT(t, "length", strlen(TVMGetLastError()), length);
  CHECK_EQ_INT(t, "last byte", TVMGetLastError()[length - 1], 'x');
  TVMAPISetLastError("of this thread");
  CHECK_EQ_INT(t, "pthread_create", pthread_create(&thread, NULL, look_elsewhere, NULL), 0);
  pthread_join(thread, NULL);
  CHECK(t, "text of a new thread", !text_elsewhere || !*text_elsewhere);
  CHECK_TEXT(t, "text that the other thread set", copy_elsewhere, "of another thread");
  CHECK_TEXT(t, "text of this thread", TVMGetLastError(), "of this thread");
  free(text);
  return 0;
}

/** Sets the text that it is given, and answers the code that the resource stands for. */
static int set_text(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  (void)codes, (void)ret;
  if (count) TVMAPISetLastError(args[0].v_str);
  return (int)(intptr_t)resource;
}

/** A call that succeeds leaves the text alone, and a text that its function sets is no failure. */
CALLER(success_leaves_the_text) {
  TVMFunctionHandle f = NULL;
  TVMValue arg = value_of_text("set by the function"), ret;
  int code = kTVMStr, ret_code;
  CLAUSE(t, "LEG-0010");
  CHECK_OK(t, TVMFuncCreateFromCFunc(set_text, NULL, NULL, &f));
  TVMAPISetLastError("older");
  CHECK_OK(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
  CHECK_TEXT(t, "text", TVMGetLastError(), "older");
  CHECK_OK(t, TVMFuncCall(f, &arg, &code, 1, &ret, &ret_code));
  CHECK_TEXT(t, "text that the function set", TVMGetLastError(), "set by the function");
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

/** The caller's text begins with the kind that the function named, or with TVMError, and has its message. */
CALLER(text_has_kind_and_message) {
  static const struct {
    const char *set, *kind, *message;
  } texts[] = {
      {"ValueError: bad value", "ValueError:", "bad value"},
      {"plain text", "TVMError:", "plain text"},
      {"Two words: and more", "TVMError:", "Two words: and more"},
      {"my.Kind: dotted", "my.Kind:", "dotted"},
  };
  TVMFunctionHandle f = NULL;
  size_t i;
  CLAUSE(t, "LEG-0011");
  CHECK_OK(t, TVMFuncCreateFromCFunc(set_text, (void*)-1, NULL, &f));
  for (i = 0; i < sizeof(texts) / sizeof(texts[0]); ++i) {
    TVMValue arg = value_of_text(texts[i].set), ret;
    int code = kTVMStr, ret_code;
    char found[4096];
    CHECK_FAILS(t, TVMFuncCall(f, &arg, &code, 1, &ret, &ret_code), NULL);
    snprintf(found, sizeof(found), "%s", TVMGetLastError());
    CHECK_CONTAINS(t, "text", found, texts[i].message);
    found[strlen(texts[i].kind)] = 0;
    CHECK_TEXT(t, "kind", found, texts[i].kind);
  }
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

/** A function that fails without setting an error makes the call fail, and the library goes on. */
CALLER(failure_without_an_error) {
  TVMFunctionHandle f = NULL, good = NULL;
  TVMValue ret;
  int ret_code;
  CLAUSE(t, "LEG-0012");
  CHECK_OK(t, TVMFuncCreateFromCFunc(set_text, (void*)-1, NULL, &f));
  CHECK_FAILS(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code), NULL);
  CHECK_OK(t, TVMFuncCreateFromCFunc(set_text, NULL, NULL, &good));
  CHECK_OK(t, TVMFuncCall(good, NULL, NULL, 0, &ret, &ret_code));
  CHECK_OK(t, TVMFuncFree(f));
  CHECK_OK(t, TVMFuncFree(good));
  return 0;
}

/** An older text is not shown for a failure that set none. */
CALLER(older_text_is_not_shown) {
  TVMFunctionHandle f = NULL;
  TVMValue ret;
  int ret_code;
  const char* text;
  CLAUSE(t, "LEG-0014");
  CHECK_OK(t, TVMFuncCreateFromCFunc(set_text, (void*)-1, NULL, &f));
  TVMAPISetLastError("ValueError: of long ago");
  CHECK_FAILS(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code), NULL);
  text = TVMGetLastError();
  CHECK(t, "text", !text || !strstr(text, "of long ago"));
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

/** Two reads of one error give the same pointer. */
CALLER(text_stays_where_it_is) {
  const char* first;
  TVMFunctionHandle f = NULL;
  TVMValue arg = value_of_text("ValueError: set"), ret;
  int code = kTVMStr, ret_code;
  CLAUSE(t, "LEG-0013");
  TVMAPISetLastError("set by the client");
  first = TVMGetLastError();
  CHECK_EQ_PTR(t, "second read of a client's text", TVMGetLastError(), first);
  CHECK_OK(t, TVMFuncCreateFromCFunc(set_text, (void*)-1, NULL, &f));
  CHECK_FAILS(t, TVMFuncCall(f, &arg, &code, 1, &ret, &ret_code), NULL);
  first = TVMGetLastError();
  CHECK_EQ_PTR(t, "second read of a call's error", TVMGetLastError(), first);
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}

/* ---- Texts and bytes as results ---------------------------------------------------------------------------------- */

static int answer_text(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  char text[32] = "a text of the callee";
  TVMValue value = value_of_text(text);
  int code = kTVMStr, answer;
  (void)args, (void)codes, (void)count, (void)resource;
  answer = TVMCFuncSetReturn(ret, &value, &code, 1);
  memset(text, 'z', sizeof(text) - 1);
  return answer;
}

static int answer_int(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  TVMValue value = value_of_int(3);
  int code = kTVMArgInt;
  (void)args, (void)codes, (void)count, (void)resource;
  return TVMCFuncSetReturn(ret, &value, &code, 1);
}

/** A text that was answered is a copy that stays through results that are numbers, and through failures. */
CALLER(text_result_stays) {
  TVMFunctionHandle text = NULL, number = NULL, failing = NULL;
  TVMValue kept, ret, error = value_of_text("ValueError: in between");
  int code, ret_code, error_code = kTVMStr;
  CLAUSE(t, "LEG-0015");
  CHECK_OK(t, TVMFuncCreateFromCFunc(answer_text, NULL, NULL, &text));
  CHECK_OK(t, TVMFuncCreateFromCFunc(answer_int, NULL, NULL, &number));
  CHECK_OK(t, TVMFuncCreateFromCFunc(set_text, (void*)-1, NULL, &failing));
  CHECK_OK(t, TVMFuncCall(text, NULL, NULL, 0, &kept, &code));
  CHECK_EQ_INT(t, "code", code, kTVMStr);
  CHECK_TEXT(t, "text", kept.v_str, "a text of the callee");
  CHECK_OK(t, TVMFuncCall(number, NULL, NULL, 0, &ret, &ret_code));
  CHECK_FAILS(t, TVMFuncCall(failing, &error, &error_code, 1, &ret, &ret_code), NULL);
  CHECK_TEXT(t, "text after other calls", kept.v_str, "a text of the callee");
  CHECK_OK(t, TVMFuncFree(text));
  CHECK_TEXT(t, "text after the function's end", kept.v_str, "a text of the callee");
  CHECK_OK(t, TVMFuncFree(number));
  CHECK_OK(t, TVMFuncFree(failing));
  return 0;
}

static int answer_bytes(TVMValue* args, int* codes, int count, TVMRetValueHandle ret, void* resource) {
  char content[5] = {'a', 0, 'b', 0, 'c'};
  TVMByteArray bytes;
  TVMValue value;
  int code = kTVMBytes;
  (void)args, (void)codes, (void)count, (void)resource;
  bytes.data = content, bytes.size = 5;
  value = value_of_handle(&bytes);
  return TVMCFuncSetReturn(ret, &value, &code, 1);
}

/** Bytes that are answered keep their NULs and have one behind them, and can be freed. */
CALLER(bytes_result_is_whole) {
  TVMFunctionHandle f = NULL;
  TVMValue ret;
  int ret_code;
  TVMByteArray* bytes;
  CLAUSE(t, "LEG-0016");
  CHECK_OK(t, TVMFuncCreateFromCFunc(answer_bytes, NULL, NULL, &f));
  CHECK_OK(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
  CHECK_EQ_INT(t, "code", ret_code, kTVMBytes);
  bytes = (TVMByteArray*)ret.v_handle;
  CHECK_EQ_INT(t, "size", bytes->size, 5);
  CHECK(t, "content", memcmp(bytes->data, "a\0b\0c", 6) == 0);
  CLAUSE(t, "LEG-0017");
  CHECK_OK(t, TVMByteArrayFree(bytes));
  CHECK_OK(t, TVMByteArrayFree(NULL));
  CHECK(t, "content after it was freed", bytes->size == 5 && memcmp(bytes->data, "a\0b\0c", 6) == 0);
  CHECK_OK(t, TVMFuncCall(f, NULL, NULL, 0, &ret, &ret_code));
  CHECK_OK(t, TVMFuncFree(f));
  return 0;
}
