/* Errors of the split generation: the cell, tracebacks, and the raised slot. */
#include "objects.h"

/* A library of a later state has neither: it is loaded all the same, and the callers that need them are not in force. */
#pragma weak TVMFFIErrorCreate
#pragma weak TVMFFITraceback

/** A word of the memory behind an object's handle. */
static void* word_at(TVMFFIObjectHandle object, size_t offset) {
  void* word;
  memcpy(&word, (char*)object + offset, sizeof(word));
  return word;
}

/** The span at a place in an object. */
static TVMFFIByteArray span_at(TVMFFIObjectHandle object, size_t offset) {
  return bytes_of((const char*)word_at(object, offset), (size_t)(uintptr_t)word_at(object, offset + 8));
}

/** An Error that was raised and taken. */
static TVMFFIObjectHandle raised(const char* kind, const char* message) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorSetRaisedFromCStr(kind, message);
  TVMFFIErrorMoveFromRaised(&error);
  return error;
}

/** An Error has kind, message, traceback and update_traceback at bytes 24, 40, 56 and 72, each text with its length. */
CALLER(error_cell) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIByteArray traceback;
  CLAUSE(t, "SPL-0016");
  CALL(t, error = raised("ValueError", "a message of some length"));
  CHECK_NOT_NULL(t, "the Error", error);
  CHECK_EQ_TEXT(t, "the text at byte 24", span_at(error, 24), "ValueError");
  CHECK_EQ_TEXT(t, "the text at byte 40", span_at(error, 40), "a message of some length");
  traceback = span_at(error, 56);
  CHECK_NOT_NULL(t, "the address at byte 56", traceback.data);
  CHECK_EQ_INT(t, "the byte behind the traceback", traceback.data[traceback.size], 0);
  CHECK_NOT_NULL(t, "the address at byte 72", word_at(error, 72));
  CHECK_OK(t, TVMFFIObjectDecRef(error));
  return 0;
}

/** Whether a line, without its line feed, is that of a frame. */
static int is_frame(const char* line, size_t size) {
  static const char beginning[] = "  File \"";
  size_t length = sizeof(beginning) - 1;
  char text[2048];
  const char *number, *in;
  if (size <= length || size >= sizeof(text) || memcmp(line, beginning, length) != 0) return 0;
  memcpy(text, line, size);
  text[size] = 0;
  number = strstr(text + length, "\", line ");
  if (!number) return 0;
  number += strlen("\", line ");
  in = number + strspn(number, "0123456789");
  return in > number && strncmp(in, ", in ", 5) == 0 && in[5] != 0;
}

/** Each line of the traceback of an Error and of TVMFFITraceback is that of a frame, and ends with a line feed. */
CALLER(traceback_lines) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIByteArray texts[2];
  int i;
  CLAUSE(t, "SPL-0017");
  CALL(t, error = raised("ValueError", "a message"));
  CHECK_NOT_NULL(t, "the Error", error);
  texts[0] = ERROR_CELL(error)->traceback;
  texts[1] = bytes_of("", 0);
  if (TVMFFITraceback) CALL(t, texts[1] = *TVMFFITraceback("source.c", 7, "function", 1));
  for (i = 0; i < 2; ++i) {
    const char *line = texts[i].data, *end = line + texts[i].size;
    while (line < end) {
      const char* feed = (const char*)memchr(line, '\n', (size_t)(end - line));
      CHECK_NOT_NULL(t, "the line feed at the end of a traceback", feed);
      CHECK_EQ_INT(t, "whether a line is that of a frame", is_frame(line, (size_t)(feed - line)), 1);
      line = feed + 1;
    }
  }
  CHECK_OK(t, TVMFFIObjectDecRef(error));
  return 0;
}

/** TVMFFITraceback with a file and a function ends with the line of that frame, the most recent one. */
CALLER(traceback_ends_with_the_place) {
  static const char expected[] = "  File \"source.c\", line 7, in function\n";
  const TVMFFIByteArray* text = NULL;
  size_t size = sizeof(expected) - 1;
  CLAUSE(t, "SPL-0018");
  CHECK_NOT_NULL(t, "TVMFFITraceback", (const void*)(uintptr_t)TVMFFITraceback);
  CALL(t, text = TVMFFITraceback("source.c", 7, "function", 1));
  CHECK_NOT_NULL(t, "the traceback", text);
  if (text->size < size) {
    CHECK_EQ_TEXT(t, "the traceback", *text, "  File \"source.c\", line 7, in function\n");
  }
  CHECK_EQ_TEXT(t, "the last line", bytes_of(text->data + text->size - size, size),
                "  File \"source.c\", line 7, in function\n");
  return 0;
}

/** update_traceback replaces the traceback, however long it was, and leaves kind and message. */
CALLER(update_replaces) {
  TVMFFIByteArray first = text_of("  File \"a.c\", line 1, in a\n  File \"b.c\", line 2, in b\n");
  TVMFFIByteArray second = text_of("  File \"c.c\", line 3, in c\n");
  TVMFFIObjectHandle error = NULL;
  CLAUSE(t, "SPL-0019");
  CALL(t, error = raised("ValueError", "a message"));
  CHECK_NOT_NULL(t, "the Error", error);
  CHECK_NOT_NULL(t, "update_traceback", word_at(error, 72));
  CALL(t, ERROR_CELL(error)->update_traceback(error, &first));
  CHECK_EQ_TEXT(t, "the traceback", ERROR_CELL(error)->traceback,
                "  File \"a.c\", line 1, in a\n  File \"b.c\", line 2, in b\n");
  CALL(t, ERROR_CELL(error)->update_traceback(error, &second));
  CHECK_EQ_TEXT(t, "the traceback after another update", ERROR_CELL(error)->traceback, "  File \"c.c\", line 3, in c\n");
  CHECK_EQ_TEXT(t, "the kind", ERROR_CELL(error)->kind, "ValueError");
  CHECK_EQ_TEXT(t, "the message", ERROR_CELL(error)->message, "a message");
  CHECK_OK(t, TVMFFIObjectDecRef(error));
  return 0;
}

/** update_traceback copies the text, of which its caller may then make another. */
CALLER(update_copies) {
  static const char line[] = "  File \"a.c\", line 1, in a\n";
  TVMFFIObjectHandle error = NULL;
  TVMFFIByteArray text, got;
  char* data = (char*)malloc(sizeof(line));
  CLAUSE(t, "SPL-0020");
  CALL(t, error = raised("ValueError", "a message"));
  CHECK_NOT_NULL(t, "the Error", error);
  CHECK_NOT_NULL(t, "update_traceback", word_at(error, 72));
  memcpy(data, line, sizeof(line));
  text = bytes_of(data, sizeof(line) - 1);
  /* A mode beyond the parameters of the time has a later state replace the text, too. */
  CALL(t, ((void (*)(TVMFFIObjectHandle, const TVMFFIByteArray*, int32_t))(void (*)(void))ERROR_CELL(error)
               ->update_traceback)(error, &text, 0));
  memset(data, '!', sizeof(line));
  got = ERROR_CELL(error)->traceback;
  /* Whether other lines are left in front of it is another clause's question. */
  if (got.size > text.size) got = bytes_of(got.data + got.size - text.size, text.size);
  CHECK_EQ_TEXT(t, "the end of the traceback when the caller's text has changed", got, "  File \"a.c\", line 1, in a\n");
  free(data);
  CHECK_OK(t, TVMFFIObjectDecRef(error));
  return 0;
}

/** TVMFFIErrorCreate answers an Error that has these texts and one strong reference, and raises none. */
CALLER(error_create) {
  TVMFFIByteArray kind = text_of("ValueError"), message = text_of("a message"), traceback = text_of("a traceback");
  TVMFFIObjectHandle error = NULL, left = NULL;
  CLAUSE(t, "SPL-0021");
  CHECK_NOT_NULL(t, "TVMFFIErrorCreate", (const void*)(uintptr_t)TVMFFIErrorCreate);
  CALL(t, error = TVMFFIErrorCreate(&kind, &message, &traceback));
  if ((uintptr_t)error < 4096) CHECK_EQ_INT(t, "whether the answer is an address", 0, 1);
  CHECK_EQ_INT(t, "type index", ((TVMFFIObject*)error)->type_index, kTVMFFIError);
  CHECK_EQ_INT(t, "strong count", strong_count_of(error), 1);
  CHECK_EQ_INT(t, "weak count", weak_count_of(error), 1);
  CHECK_EQ_TEXT(t, "the kind", ERROR_CELL(error)->kind, "ValueError");
  CHECK_EQ_TEXT(t, "the message", ERROR_CELL(error)->message, "a message");
  CHECK_EQ_TEXT(t, "the traceback", ERROR_CELL(error)->traceback, "a traceback");
  CALL(t, TVMFFIErrorMoveFromRaised(&left));
  CHECK_EQ_PTR(t, "the raised error", left, NULL);
  CHECK_OK(t, TVMFFIObjectDecRef(error));
  return 0;
}

/** TVMFFIErrorSetRaised adds a strong reference to an Error and gives that to an earlier one up. */
CALLER(set_raised) {
  TVMFFIObjectHandle first = NULL, second = NULL, taken = NULL;
  CLAUSE(t, "SPL-0022");
  CALL(t, first = raised("ValueError", "the first"));
  CALL(t, second = raised("ValueError", "the second"));
  CHECK_NOT_NULL(t, "the Error", first);
  CHECK_NOT_NULL(t, "the other Error", second);
  CALL(t, TVMFFIErrorSetRaised(first));
  CHECK_EQ_INT(t, "strong count of the raised Error", strong_count_of(first), 2);
  CHECK_EQ_INT(t, "weak count of the raised Error", weak_count_of(first), 1);
  CALL(t, TVMFFIErrorSetRaised(second));
  CHECK_EQ_INT(t, "strong count when another is raised", strong_count_of(first), 1);
  CHECK_EQ_INT(t, "strong count of the other", strong_count_of(second), 2);
  CALL(t, TVMFFIErrorSetRaised(NULL));
  CHECK_EQ_INT(t, "strong count when none is raised any more", strong_count_of(second), 1);
  CALL(t, TVMFFIErrorMoveFromRaised(&taken));
  CHECK_EQ_PTR(t, "the raised error", taken, NULL);
  CHECK_OK(t, TVMFFIObjectDecRef(first));
  CHECK_OK(t, TVMFFIObjectDecRef(second));
  return 0;
}

/** TVMFFIErrorMoveFromRaised hands the raised Error over with its reference, and then writes NULL. */
CALLER(move_from_raised) {
  TVMFFIObjectHandle error = NULL, taken = NULL;
  CLAUSE(t, "SPL-0023");
  CALL(t, error = raised("ValueError", "a message"));
  CHECK_NOT_NULL(t, "the Error", error);
  CALL(t, TVMFFIErrorSetRaised(error));
  CALL(t, TVMFFIErrorMoveFromRaised(&taken));
  CHECK_EQ_PTR(t, "the Error that was taken", taken, error);
  CHECK_EQ_INT(t, "strong count", strong_count_of(error), 2);
  taken = error;
  CALL(t, TVMFFIErrorMoveFromRaised(&taken));
  CHECK_EQ_PTR(t, "what is taken when nothing is raised", taken, NULL);
  CHECK_OK(t, TVMFFIObjectDecRef(error));
  CHECK_OK(t, TVMFFIObjectDecRef(error));
  return 0;
}

/** A callback that raises and fails. */
static int fail_with_error(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)self, (void)args, (void)num_args, (void)result;
  TVMFFIErrorSetRaisedFromCStr("RuntimeError", "error message");
  return -1;
}

/** The Error that a callback has raised is the caller's to take, with one reference. */
CALLER(callee_raises) {
  TVMFFIObjectHandle function = NULL, error = NULL;
  TVMFFIAny result = any_none();
  int code = 0;
  CLAUSE(t, "SPL-0023");
  CHECK_OK(t, TVMFFIFunctionCreate(&code, fail_with_error, end_closure, &function));
  CALL(t, code = TVMFFIFunctionCall(function, NULL, 0, &result));
  CHECK_EQ_INT(t, "what the call answers", code, -1);
  CALL(t, TVMFFIErrorMoveFromRaised(&error));
  CHECK_NOT_NULL(t, "the raised error", error);
  CHECK_EQ_TEXT(t, "its kind", ERROR_CELL(error)->kind, "RuntimeError");
  CHECK_EQ_TEXT(t, "its message", ERROR_CELL(error)->message, "error message");
  CLAUSE(t, "SPL-0015");
  CHECK_EQ_INT(t, "its strong count", strong_count_of(error), 1);
  CHECK_OK(t, TVMFFIObjectDecRef(error));
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  return 0;
}
