/* Loads the library that the argument names after an error has been raised, and has it raise one. Exits with 0 if the backtrace of
 * that one tells of the library's function by its name. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

static TVMFFIErrorCell* taken(void) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  return error == NULL ? NULL : (TVMFFIErrorCell*)((TVMFFIObject*)error + 1);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  TVMFFIErrorSetRaisedFromCStr("ValueError", "raised before the library is there");
  if (taken() == NULL) return 3;
  void* library = dlopen(argv[1], RTLD_NOW);
  if (library == NULL) {
    puts(dlerror());
    return 4;
  }
  int (*raise_an_error)(void) = (int (*)(void))dlsym(library, "raise_an_error");
  if (raise_an_error == NULL) return 5;
  raise_an_error();
  TVMFFIErrorCell* error = taken();
  if (error == NULL) return 6;
  printf("%.*s\n", (int)error->backtrace.size, error->backtrace.data);
  return memmem(error->backtrace.data, error->backtrace.size, "raise_an_error", 14) == NULL;
}
