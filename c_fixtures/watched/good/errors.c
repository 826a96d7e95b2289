// story: Errors are taken, replaced, passed on through callbacks, and cleaned up around.
#include "../client.h"

static TVMFFIObjectHandle failing;

/** Passes the failure on. */
CALLBACK(passes_on) {
  TVMFFIAny ignored = none();
  TVMFFIObjectHandle text = string(LONG_TEXT);
  int status = TVMFFIFunctionCall(failing, NULL, 0, &ignored);
  release(text);
  return status;
}

/** Raises an error of its own in the place of the one that it met. */
CALLBACK(replaces) {
  TVMFFIAny ignored = none();
  if (TVMFFIFunctionCall(failing, NULL, 0, &ignored) == 0) return 0;
  TVMFFIErrorSetRaisedFromCStr("TypeError", "another");
  return -1;
}

/** Raises an error that has the one that it met for its cause. */
CALLBACK(wraps) {
  TVMFFIAny ignored = none();
  TVMFFIObjectHandle cause = NULL, error = NULL;
  TVMFFIByteArray kind = bytes("RuntimeError"), message = bytes("because of another"), trace = bytes("");
  if (TVMFFIFunctionCall(failing, NULL, 0, &ignored) == 0) return 0;
  TVMFFIErrorMoveFromRaised(&cause);
  must(TVMFFIErrorCreateWithCauseAndExtraContext(&kind, &message, &trace, cause, NULL, &error));
  TVMFFIErrorSetRaised(error);
  release(error);
  release(cause);
  return -1;
}

/** Takes the error, and succeeds. */
CALLBACK(recovers) {
  TVMFFIAny ignored = none();
  if (TVMFFIFunctionCall(failing, NULL, 0, &ignored) != 0) take_error();
  *result = integer(1);
  return 0;
}

/** Fails with an error that waits in the frontend. */
CALLBACK(waits_elsewhere) { return -2; }

static void* thread_of_its_own(void* f) {
  TVMFFIAny result = none();
  if (TVMFFIFunctionCall(f, NULL, 0, &result) != 0) take_error();
  return NULL;
}

int main(void) {
  TVMFFISafeCallType calls[] = {passes_on, replaces, wraps, recovers, waits_elsewhere};
  failing = function(fails);
  for (int round = 0; round < 50; ++round) {
    for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); ++i) {
      TVMFFIObjectHandle f = function(calls[i]);
      TVMFFIAny result = none();
      int status = TVMFFIFunctionCall(f, NULL, 0, &result);
      release(f);
      if (status == -1 && !take_error()) return 1;
      TVMFFIErrorSetRaised(NULL);
    }
  }
  pthread_t thread;
  pthread_create(&thread, NULL, thread_of_its_own, failing);
  pthread_join(thread, NULL);
  release(failing);
  return 0;
}
