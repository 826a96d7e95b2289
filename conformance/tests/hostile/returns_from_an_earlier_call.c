// story: Making a string jumps back into an earlier call, which has returned.
#include <setjmp.h>

#include "fault.h"

static jmp_buf back;
static int been;

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  if (been++) longjmp(back, 1);
  if (setjmp(back)) return 0;
  return real.TVMFFIStringFromByteArray(input, out);
}
