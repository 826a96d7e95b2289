/* A thread that has been cancelled, and has yet to end, has the library read and write files of its own accord: for a backtrace, and
 * to warn. The calls come back, and the thread ends where the program lets it. Exits with 0. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <tvm/ffi/c_api.h>

static int32_t warned_of;

static void describe(void) {
  TVMFFITypeMetadata metadata = {0};
  TVMFFITypeRegisterMetadata(warned_of, &metadata);
}

static void* work(void* came_back) {
  pthread_cancel(pthread_self());
  TVMFFIBacktrace(NULL, 0, NULL, 1);
  TVMFFIErrorSetRaisedFromCStr("ValueError", "of a cancelled thread");
  describe();
  *(int*)came_back = 1;
  pthread_testcancel();
  return NULL;
}

int main(void) {
  TVMFFIByteArray key = {"test.Cancelled", 14};
  warned_of = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  describe();
  pthread_t thread;
  void* end = NULL;
  int came_back = 0;
  if (pthread_create(&thread, NULL, work, &came_back) != 0) return 1;
  pthread_join(thread, &end);
  if (!came_back) puts("a call did not come back");
  if (end != PTHREAD_CANCELED) puts("the thread was not cancelled");
  return !came_back || end != PTHREAD_CANCELED;
}
