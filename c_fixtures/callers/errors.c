/* Errors: raised, taken, made, chained, and where they come from. */
#include "caller.h"

/** A raised error has its kind and message and is taken once. */
CALLER(raised_error) {
  TVMFFIObjectHandle error = NULL;
  CLAUSE(t, "ERR-0010");
  CALL(t, TVMFFIErrorSetRaisedFromCStr("ValueError", "expects a tensor"));
  CLAUSE(t, "ERR-0014");
  CALL(t, TVMFFIErrorMoveFromRaised(&error));
  CHECK_NOT_NULL(t, "the raised error", error);
  CLAUSE(t, "ERR-0010");
  CHECK_EQ_INT(t, "type index", TYPE_INDEX_OF(error), kTVMFFIError);
  CHECK_EQ_TEXT(t, "kind", ERROR_CELL(error)->kind, "ValueError");
  CHECK_EQ_TEXT(t, "message", ERROR_CELL(error)->message, "expects a tensor");
  CHECK_OK(t, TVMFFIObjectDecRef(error));
  error = NULL;
  CLAUSE(t, "ERR-0014");
  CALL(t, TVMFFIErrorMoveFromRaised(&error));
  CHECK_EQ_PTR(t, "the raised error once it was taken", error, NULL);
  return 0;
}

/** The parts of an error's message are joined, and NULL among them is skipped. */
CALLER(error_in_parts) {
  const char* parts[4] = {"expected ", NULL, "int", " but got str"};
  TVMFFIObjectHandle error = NULL;
  CLAUSE(t, "ERR-0012");
  CALL(t, TVMFFIErrorSetRaisedFromCStrParts("TypeError", parts, 4));
  CALL(t, TVMFFIErrorMoveFromRaised(&error));
  CHECK_NOT_NULL(t, "the raised error", error);
  CHECK_EQ_TEXT(t, "message", ERROR_CELL(error)->message, "expected int but got str");
  CLAUSE(t, "ERR-0011");
  CHECK_EQ_TEXT(t, "kind", ERROR_CELL(error)->kind, "TypeError");
  CHECK_OK(t, TVMFFIObjectDecRef(error));
  return 0;
}

/** An Error that a client made and raised is taken back as the same object. */
CALLER(raised_again) {
  TVMFFIByteArray kind = text_of("KeyError"), message = text_of("no such key"), nothing = text_of("");
  TVMFFIObjectHandle error = NULL, taken = NULL;
  CLAUSE(t, "ERR-0002");
  CHECK_OK(t, TVMFFIErrorCreate(&kind, &message, &nothing, &error));
  CHECK_EQ_INT(t, "strong count of a new error", strong_count_of(error), 1);
  CLAUSE(t, "ERR-0016");
  CALL(t, TVMFFIErrorSetRaised(error));
  CHECK_EQ_INT(t, "strong count while it is raised", strong_count_of(error), 2);
  CALL(t, TVMFFIErrorMoveFromRaised(&taken));
  CHECK_EQ_PTR(t, "the raised error", taken, error);
  CHECK_OK(t, TVMFFIObjectDecRef(taken));
  CHECK_OK(t, TVMFFIObjectDecRef(error));
  return 0;
}

/** The function in an Error's cell appends to the backtrace and replaces it. */
CALLER(error_backtrace) {
  TVMFFIByteArray kind = text_of("RuntimeError"), message = text_of("out of memory");
  TVMFFIByteArray first = text_of("  File \"a.c\", line 1, in a\n"), second = text_of("  File \"b.c\", line 2, in b\n");
  TVMFFIObjectHandle error = NULL;
  CHECK_OK(t, TVMFFIErrorCreate(&kind, &message, &first, &error));
  TVMFFIErrorCell* cell = ERROR_CELL(error);
  CLAUSE(t, "ERR-0008");
  CALL(t, cell->update_backtrace(error, &second, kTVMFFIBacktraceUpdateModeAppend));
  CHECK_EQ_TEXT(t, "backtrace", cell->backtrace, "  File \"a.c\", line 1, in a\n  File \"b.c\", line 2, in b\n");
  CLAUSE(t, "ERR-0007");
  CALL(t, cell->update_backtrace(error, &second, kTVMFFIBacktraceUpdateModeReplace));
  CHECK_EQ_TEXT(t, "backtrace", cell->backtrace, "  File \"b.c\", line 2, in b\n");
  CHECK_OK(t, TVMFFIObjectDecRef(error));
  return 0;
}

/** An Error holds its cause and its extra context, and gives them up when it ends. */
CALLER(error_cause) {
  TVMFFIByteArray kind = text_of("RuntimeError"), message = text_of("the call failed"), nothing = text_of("");
  TVMFFIByteArray more = text_of("while visiting the second argument");
  TVMFFIAny context = any_none();
  TVMFFIObjectHandle cause = NULL, error = NULL;
  uint32_t before;
  CHECK_OK(t, TVMFFIStringFromByteArray(&more, &context));
  before = strong_count_of(context.v_obj);
  CHECK_OK(t, TVMFFIErrorCreate(&kind, &message, &nothing, &cause));
  CLAUSE(t, "ERR-0024");
  CHECK_OK(t, TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &message, &nothing, cause, context.v_obj, &error));
  CHECK_EQ_PTR(t, "the cause", ERROR_CELL(error)->cause_chain, cause);
  CHECK_EQ_PTR(t, "the extra context", ERROR_CELL(error)->extra_context, context.v_obj);
  CLAUSE(t, "ERR-0025");
  CHECK_EQ_INT(t, "strong count of the cause", strong_count_of(cause), 2);
  CHECK_OK(t, TVMFFIObjectDecRef(error));
  CHECK_EQ_INT(t, "strong count of the cause when the error is gone", strong_count_of(cause), 1);
  CLAUSE(t, "ERR-0026");
  CHECK_EQ_INT(t, "strong count of the context when the error is gone", strong_count_of(context.v_obj), before);
  CHECK_OK(t, TVMFFIObjectDecRef(cause));
  release(&context);
  return 0;
}

/** A backtrace begins with the file, the line and the function that TVMFFIBacktrace was given. */
CALLER(backtrace_of_a_line) {
  const TVMFFIByteArray* trace = NULL;
  CLAUSE(t, "BTR-0002");
  CALL(t, trace = TVMFFIBacktrace("kernel.c", 42, "launch", 0));
  CHECK_NOT_NULL(t, "the backtrace", trace);
  {
    const char* given[3] = {"kernel.c", "42", "launch"};
    const char* end = trace->size ? (const char*)memchr(trace->data, '\n', trace->size) : NULL;
    size_t size = end ? (size_t)(end - trace->data) : trace->size;
    char line[400] = "";
    memcpy(line, trace->data, size < sizeof(line) ? size : sizeof(line) - 1);
    for (int i = 0; i < 3; i++) CHECK_NOT_NULL(t, given[i], strstr(line, given[i]));
  }
  return 0;
}
