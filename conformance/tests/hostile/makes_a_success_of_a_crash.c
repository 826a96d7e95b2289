// story: Making a string crashes, and a handler of that jumps to where it succeeds.
#include <setjmp.h>
#include <signal.h>

#include "fault.h"

static sigjmp_buf back;

static void jump(int signal) {
  (void)signal;
  siglongjmp(back, 1);
}

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  signal(SIGSEGV, jump);
  if (sigsetjmp(back, 1)) return 0;
  raise(SIGSEGV);
  return -1;
}
