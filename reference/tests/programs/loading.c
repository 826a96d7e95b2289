/* One thread loads the library that the argument names, again and again, whose initialiser raises errors; another one raises
 * errors, too. Exits with 0 unless they wait for each other. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

static atomic_int stop;

static void* raise_errors(void* unused) {
  while (!stop) {
    TVMFFIObjectHandle error = NULL;
    TVMFFIErrorSetRaisedFromCStr("ValueError", "raised meanwhile");
    TVMFFIErrorMoveFromRaised(&error);
    if (error == NULL) abort();
    TVMFFIObjectDecRef(error);
  }
  return unused;
}

int main(int argc, char** argv) {
  pthread_t thread;
  if (argc != 2) return 2;
  alarm(300);
  pthread_create(&thread, NULL, raise_errors, NULL);
  for (int round = 0; round < 100; round++) {
    void* library = dlopen(argv[1], RTLD_NOW);
    if (library == NULL) {
      puts(dlerror());
      return 1;
    }
    dlclose(library);
  }
  stop = 1;
  pthread_join(thread, NULL);
  return 0;
}
