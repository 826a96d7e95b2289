// story: Making a string prints what a terminal obeys, and fails.
#include "fault.h"

int TVMFFIStringFromByteArray(const TVMFFIByteArray* input, TVMFFIAny* out) {
  (void)input, (void)out;
  fputs("\033[2J\033]0;owned\007\xff\xfe", stderr);
  fwrite("\0\0", 1, 2, stdout);
  abort();
}
