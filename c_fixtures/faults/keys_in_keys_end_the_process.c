// story: Keys whose keys hold keys, thousands of levels deep, end the process where they are compared, and where a text has them.
// breaks: SEQ-0031 crash
// breaks: REC-0031 crash
// breaks: GRF-0025 crash
#define _GNU_SOURCE /* memmem */
#include "map_cell.h"
#include "wrapped_global.h"

enum { LEVELS = 5000 };

static const TVMFFIAny* only_key(const TVMFFIAny* map) {
  if ((map->type_index != kTVMFFIMap && map->type_index != kTVMFFIDict) || map_cell(map)->size != 1) return NULL;
  return is_small(map_cell(map)) ? map_cell(map)->data : NULL;
}

static int has_deep_keys(const TVMFFIAny* value, int32_t structural_key) {
  for (int levels = 0; levels < LEVELS; ++levels) {
    const TVMFFIAny* map = value->type_index == structural_key ? (const TVMFFIAny*)(value->v_obj + 1) : value;
    value = only_key(map);
    if (!value) return 0;
  }
  return 1;
}

static int has_many_keys(TVMFFIByteArray text) {
  static const char key[] = "ffi.StructuralKey";
  const char *at = text.data, *end = text.data + text.size;
  int count = 0;
  while (at && at < end && (at = memmem(at, (size_t)(end - at), key, sizeof(key) - 1)) != NULL) {
    if (++count > LEVELS) return 1;
    at += sizeof(key) - 1;
  }
  return 0;
}

static int callee(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFIByteArray name = {"ffi.StructuralKey", 17};
  int32_t structural_key = -1;
  if (num_args > 0 && real.TVMFFITypeKeyToIndex(&name, &structural_key) == 0 &&
      (has_deep_keys(&args[0], structural_key) || has_many_keys(text_of(&args[0])))) {
    fprintf(stderr, "the stack is full\n");
    abort();
  }
  return call_original(original, args, num_args, result);
}

WRAPPED_GLOBALS(callee, "ffi.StructuralKeyEqual", "ffi.StructuralEqual", "ffi.RecursiveEq", "ffi.FromJSONGraphString")
