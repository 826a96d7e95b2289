/*
 * What a library does in its constructor, before anybody can call it: it registers a type, as the headers' blocks for that do,
 * asks for the record of it and of another, and takes a backtrace.
 */
#include "kernel.h"

static int32_t made = -1, found = -1;
static char backtrace[4096];

__attribute__((constructor)) static void start(void) {
  TVMFFIByteArray key = {"verify.AtStart", 14};
  made = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  const TVMFFITypeInfo *info = TVMFFIGetTypeInfo(made), *other = TVMFFIGetTypeInfo(kTVMFFIStr);
  if (info != NULL && other != NULL && other->type_index == kTVMFFIStr) found = info->type_index;
  const TVMFFIByteArray* taken = TVMFFIBacktrace("at_start.c", 7, "start", 1);
  size_t size = taken == NULL ? 0 : taken->size < sizeof(backtrace) ? taken->size : sizeof(backtrace) - 1;
  for (size_t at = 0; at < size; ++at) backtrace[at] = taken->data[at];
}

KERNEL(made) {
  *result = int_value(made);
  return 0;
}

KERNEL(found) {
  *result = int_value(found);
  return 0;
}

KERNEL(backtrace) { return return_text(backtrace, result); }
