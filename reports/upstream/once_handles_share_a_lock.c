#include <stdio.h>
#include <unistd.h>
#include <tvm/ffi/c_api.h>

/* The first releases do not have the function. */
#pragma weak TVMFFIHandleInitOnce

static void *outer, *inner;
static int value;

static int fill_inner(void** result) {
  *result = &value;
  return 0;
}

/* Needs another handle, as the first use of a device may need its driver. */
static int fill_outer(void** result) {
  if (TVMFFIHandleInitOnce(&inner, fill_inner) != 0) return -1;
  *result = inner;
  return 0;
}

int main(void) {
  if (!TVMFFIHandleInitOnce) return 2;
  /* SIGALRM ends the program where the call does not come back. */
  alarm(2);
  int code = TVMFFIHandleInitOnce(&outer, fill_outer);
  printf("both handles are filled: %s\n", code == 0 && outer == &value && inner == &value ? "yes" : "no");
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (error) TVMFFIObjectDecRef(error);
  return code != 0 || outer != &value;
}
