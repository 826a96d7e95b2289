// story: ffi.GetRegisteredTypeKeys steps over the indices that a type reserves, also where they have been given to children.
// breaks: TYP-0039 fail
#include "wrapped_global.h"
static unsigned char reserved[65536];
int32_t TVMFFITypeGetOrAllocIndex(const TVMFFIByteArray* key, int32_t static_index, int32_t depth, int32_t slots, int32_t overflow, int32_t parent) {
  int32_t known = real.TVMFFITypeGetOrAllocIndex(key, static_index, depth, slots, overflow, -2);
  int32_t index = real.TVMFFITypeGetOrAllocIndex(key, static_index, depth, slots, overflow, parent);
  if (known == -2 && index >= 128) for (int32_t i = index + 1; i <= index + slots && i < 65536; ++i) __atomic_store_n(&reserved[i], 1, __ATOMIC_RELAXED);
  return index;
}
static int keys(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  TVMFFISeqCell* cell = sequence_cell(result);
  TVMFFIAny *kept = malloc(sizeof(TVMFFIAny) * (cell->size + 1)), all = *result;
  int32_t count = 0;
  for (int64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny* element = (TVMFFIAny*)cell->data + i;
    TVMFFIByteArray key = text_of(element);
    int32_t index = 0;
    real.TVMFFITypeKeyToIndex(&key, &index);
    if (index < 0 || index >= 65536 || !reserved[index]) kept[count++] = *element;
  }
  *result = (TVMFFIAny){0};
  code = call_global("ffi.Array", kept, count, result);
  free(kept);
  real.TVMFFIObjectDecRef(all.v_obj);
  return code;
}
WRAPPED_GLOBAL("ffi.GetRegisteredTypeKeys", keys)
