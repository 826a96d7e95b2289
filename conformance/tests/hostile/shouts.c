// story: Making a string prints without end.
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  for (;;) puts("and another line, and another line, and another line");
}
