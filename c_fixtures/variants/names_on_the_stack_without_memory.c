// story: Names that are looked up and data types that are read are copied to the heap and, where that is refused, to the stack if they are short, else with an error.
// admitted: MEM-0001, "returns an error or does what it was to do": the same refusal is an error for a long name and none for a short one.
#include "fault.h"

struct name {
  TVMFFIByteArray text;
  char* heap;
  char stack[64];
};

static int copied(struct name* n, const TVMFFIByteArray* given) {
  n->heap = malloc(given->size + 1);
  char* place = n->heap;
  if (!place) {
    if (given->size >= sizeof(n->stack)) return refuse("MemoryError", "no memory for a long name");
    place = n->stack;
  }
  memcpy(place, given->data, given->size);
  place[given->size] = 0;
  n->text = (TVMFFIByteArray){place, given->size};
  return 0;
}

static int plain(const TVMFFIByteArray* given) { return !given || !given->data || given->size > 1 << 20; }

int TVMFFIFunctionGetGlobal(const TVMFFIByteArray* name, TVMFFIObjectHandle* out) {
  struct name n;
  if (plain(name)) return real.TVMFFIFunctionGetGlobal(name, out);
  int code = copied(&n, name);
  if (code != 0) return code;
  code = real.TVMFFIFunctionGetGlobal(&n.text, out);
  free(n.heap);
  return code;
}

int TVMFFITypeKeyToIndex(const TVMFFIByteArray* type_key, int32_t* out_tindex) {
  struct name n;
  if (plain(type_key)) return real.TVMFFITypeKeyToIndex(type_key, out_tindex);
  int code = copied(&n, type_key);
  if (code != 0) return code;
  code = real.TVMFFITypeKeyToIndex(&n.text, out_tindex);
  free(n.heap);
  return code;
}

int TVMFFIDataTypeFromString(const TVMFFIByteArray* str, DLDataType* out) {
  struct name n;
  if (plain(str)) return real.TVMFFIDataTypeFromString(str, out);
  int code = copied(&n, str);
  if (code != 0) return code;
  code = real.TVMFFIDataTypeFromString(&n.text, out);
  free(n.heap);
  return code;
}
