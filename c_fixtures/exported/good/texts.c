// story: returns texts, arguments with a reference of their own, and whatever it is asked for
#include "kernel.h"

KERNEL(short_text) { return return_text("text", result); }

KERNEL(long_text) { return return_text("a text of more than seven bytes", result); }

/* The first argument, as the library makes an owned value of it. */
KERNEL(first) {
  if (num_args > 0) return TVMFFIAnyViewToOwnedAny(&args[0], result);
  TVMFFIErrorSetRaisedFromCStr("TypeError", "expected an argument");
  return -1;
}

KERNEL(how_many) {
  result->type_index = kTVMFFIInt;
  result->v_int64 = num_args;
  return 0;
}

/* More than anybody sends. */
KERNEL(four_mebibytes) {
  static char bytes[4 << 20];
  return TVMFFIBytesFromByteArray(&(TVMFFIByteArray){bytes, sizeof(bytes)}, result);
}
