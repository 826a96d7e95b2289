// story: Functions are looked up by the loader, one that is there and one that is not, and the loader's own answers are as ever.
#define _GNU_SOURCE
#include "../client.h"

#include <dlfcn.h>

int main(void) {
  int (*release_it)(TVMFFIObjectHandle) = NULL;
  *(void**)&release_it = dlsym(RTLD_DEFAULT, "TVMFFIObjectDecRef");
  if (!release_it) return 1;
  must(release_it(string(LONG_TEXT)));
  if (dlsym(RTLD_DEFAULT, "TVMFFIOfNoRelease") || !dlerror()) return 2;
  /* What comes after the program: the answer depends on who asks. */
  if (!dlsym(RTLD_NEXT, "malloc") || dlsym(RTLD_NEXT, "main")) return 3;
  return 0;
}
