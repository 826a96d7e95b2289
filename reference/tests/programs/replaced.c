/* Loads the library that the first argument names, has it raise an error, unloads it, and does so with the one that the second names,
 * which may lie where the other did. Exits with 0 if the backtraces tell of the libraries' functions by their own names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

static int tells(const char* path, const char* name, const char* of_the_other) {
  void* library = dlopen(path, RTLD_NOW);
  if (library == NULL) return puts(dlerror()), 0;
  int (*raise_an_error)(void) = (int (*)(void))dlsym(library, name);
  if (raise_an_error == NULL) return 0;
  raise_an_error();
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (error == NULL) return 0;
  TVMFFIByteArray text = ((TVMFFIErrorCell*)((TVMFFIObject*)error + 1))->backtrace;
  printf("%p: %.*s\n", (void*)raise_an_error, (int)text.size, text.data);
  int told = memmem(text.data, text.size, name, strlen(name)) != NULL &&
             memmem(text.data, text.size, of_the_other, strlen(of_the_other)) == NULL;
  TVMFFIObjectDecRef(error);
  dlclose(library);
  return told;
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  for (int round = 0; round < 3; round++) {
    if (!tells(argv[1], "raise_an_error", "raise_by_another")) return 1;
    if (!tells(argv[2], "raise_by_another", "raise_an_error")) return 1;
  }
  return 0;
}
