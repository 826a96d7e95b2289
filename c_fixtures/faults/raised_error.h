/*
 * Faults in errors that are raised: `CHANGED_ERRORS_FROM_TEXT(change)` has `change` at work on each error that is
 * raised from a C string, before anybody sees it.
 */
#ifndef TVM_FFI_RAISED_ERROR_H_
#define TVM_FFI_RAISED_ERROR_H_

#include "fault.h"

#define CHANGED_ERRORS_FROM_TEXT(CHANGE)                                          \
  void TVMFFIErrorSetRaisedFromCStr(const char* kind, const char* message) {      \
    TVMFFIObjectHandle error = NULL;                                              \
    real.TVMFFIErrorSetRaisedFromCStr(kind, message);                             \
    real.TVMFFIErrorMoveFromRaised(&error);                                       \
    if (error == NULL) return;                                                    \
    CHANGE(error);                                                                \
    real.TVMFFIErrorSetRaised(error);                                             \
    real.TVMFFIObjectDecRef(error);                                               \
  }

static inline TVMFFIErrorCell* error_cell(TVMFFIObjectHandle error) {
  return (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
}

/** Whether the message of the raised error has this word in it. */
static inline int is_raised_about(const char* word) {
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  const TVMFFIByteArray message = error_cell(error)->message;
  const size_t length = strlen(word);
  int found = 0;
  for (size_t i = 0; i + length <= message.size && !found; ++i) found = memcmp(message.data + i, word, length) == 0;
  real.TVMFFIErrorSetRaised(error);
  real.TVMFFIObjectDecRef(error);
  return found;
}

/** Raises a new error with the kind, the message and the backtrace of the raised one, without its cause and context. */
static inline void rewrite_raised(void) {
  TVMFFIObjectHandle error = NULL, copy = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (!error) return;
  const TVMFFIErrorCell* cell = error_cell(error);
  if (real.TVMFFIErrorCreate(&cell->kind, &cell->message, &cell->backtrace, &copy) == 0) {
    real.TVMFFIErrorSetRaised(copy);
    real.TVMFFIObjectDecRef(copy);
  }
  real.TVMFFIObjectDecRef(error);
}

static inline void forget_raised(void) {
  TVMFFIObjectHandle error = NULL;
  real.TVMFFIErrorMoveFromRaised(&error);
  if (error) real.TVMFFIObjectDecRef(error);
}

#endif /* TVM_FFI_RAISED_ERROR_H_ */
