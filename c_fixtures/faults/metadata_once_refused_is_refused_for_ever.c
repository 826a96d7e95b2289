// story: A type whose metadata was refused for want of memory counts as one that has them, so they can never be registered.
// breaks: MEM-0003 fail
#include "fault.h"

static char begun[1 << 16];

int TVMFFITypeRegisterMetadata(int32_t type_index, const TVMFFITypeMetadata* metadata) {
  if (!metadata || type_index < 0 || type_index >= 1 << 16) return real.TVMFFITypeRegisterMetadata(type_index, metadata);
  if (__atomic_load_n(&begun[type_index], __ATOMIC_ACQUIRE)) return refuse("RuntimeError", "the type has metadata already");
  char* doc = malloc(metadata->doc.size + 1);
  if (!doc) {
    __atomic_store_n(&begun[type_index], 1, __ATOMIC_RELEASE);
    return refuse("MemoryError", "no memory for the metadata of a type");
  }
  if (metadata->doc.size) memcpy(doc, metadata->doc.data, metadata->doc.size);
  TVMFFITypeMetadata copy = *metadata;
  if (metadata->doc.size) copy.doc.data = doc;
  int code = real.TVMFFITypeRegisterMetadata(type_index, &copy);
  free(doc);
  return code;
}
