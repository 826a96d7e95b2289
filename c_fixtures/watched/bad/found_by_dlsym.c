// story: Functions are looked up by the loader, as bindings of other languages do it, and a String is released twice by one of them.
// breaks: used-after-end
#define _GNU_SOURCE
#include "../client.h"

#include <dlfcn.h>

int main(void) {
  int (*release_it)(TVMFFIObjectHandle) = NULL;
  *(void**)&release_it = dlsym(RTLD_DEFAULT, "TVMFFIObjectDecRef");
  TVMFFIObjectHandle text = string(LONG_TEXT);
  release_it(text);
  release_it(text);
  return 0;
}
