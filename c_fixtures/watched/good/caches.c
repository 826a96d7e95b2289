// story: What globals, caches and the library hold is alive at the end of the process, and nobody minds.
#include "../client.h"

TVMFFIObjectHandle cache[300];
static struct entry {
  struct entry* next;
  TVMFFIAny value;
}* entries;

static OUT_OF_LINE void fill(void) {
  for (int i = 0; i < 300; ++i) cache[i] = string(LONG_TEXT);
  for (int i = 0; i < 300; ++i) {
    struct entry* entry = malloc(sizeof(*entry));
    entry->next = entries;
    entry->value = object(string(LONG_TEXT));
    entries = entry;
  }
  TVMFFIByteArray name = bytes("watched.kept_by_the_library");
  TVMFFIObjectHandle f = function(nothing);
  must(TVMFFIFunctionSetGlobal(&name, f, 0));
  release(f);
}

int main(void) {
  fill();
  TVMFFIObjectHandle make = global("ffi.Array");
  TVMFFIAny elements[20], array = none();
  for (int i = 0; i < 20; ++i) elements[i] = object(string(LONG_TEXT));
  must(TVMFFIFunctionCall(make, elements, 20, &array));
  for (int i = 0; i < 20; ++i) release(elements[i].v_obj);
  release(cache[0]);
  cache[0] = array.v_obj;
  release(make);
  return 0;
}
