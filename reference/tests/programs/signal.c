/* A handler of signals takes references while the program, which has one thread, takes and gives up others: none is lost. Exits
 * with 0. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <tvm/ffi/c_api.h>

enum { SIGNALS = 20000 };

static TVMFFIObjectHandle list;
static volatile sig_atomic_t taken;

static void take(int signal) {
  (void)signal;
  TVMFFIObjectIncRef(list);
  ++taken;
}

int main(void) {
  TVMFFIByteArray name = {"ffi.List", 8};
  TVMFFIObjectHandle make = NULL;
  TVMFFIAny made = {0};
  if (TVMFFIFunctionGetGlobal(&name, &make) != 0 || TVMFFIFunctionCall(make, NULL, 0, &made) != 0) return 1;
  list = made.v_obj;
  signal(SIGALRM, take);
  struct itimerval often = {{0, 10}, {0, 10}}, never;
  memset(&never, 0, sizeof(never));
  setitimer(ITIMER_REAL, &often, NULL);
  while (taken < SIGNALS) {
    TVMFFIObjectIncRef(list);
    TVMFFIObjectDecRef(list);
  }
  setitimer(ITIMER_REAL, &never, NULL);
  uint32_t expected = 1 + (uint32_t)taken, count = (uint32_t)((TVMFFIObject*)list)->combined_ref_count;
  if (count != expected) printf("the count is %u, and should be %u\n", count, expected);
  return count != expected;
}
