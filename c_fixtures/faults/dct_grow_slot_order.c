// story: When a dense Dict of 64 slots or more grows, its entries are put into the new table in the order of the old slots and not in their own.
// breaks: DCT-0002 fail
#include "wrapped_global.h"
static int set(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 3 || args[0].type_index != kTVMFFIDict) return call_original(original, args, num_args, result);
  uint64_t* fields = (uint64_t*)(args[0].v_obj + 1);
  uint64_t before = fields[2];
  int code = call_original(original, args, num_args, result);
  uint64_t slots = fields[2], size = fields[1];
  if (code != 0 || before >> 63 || before < 64 || slots == before) return code;
  TVMFFIAny* pairs = malloc(size * 2 * sizeof(TVMFFIAny));
  size_t count = 0;
  for (uint64_t i = 0; i < slots; ++i) {
    char* block = (char*)fields[0] + i / 16 * 784;
    if ((uint8_t)block[i % 16] == 0xFF || count == size) continue;
    for (int k = 0; k < 2; ++k) real.TVMFFIAnyViewToOwnedAny((TVMFFIAny*)(block + 16 + i % 16 * 48 + k * 16), &pairs[2 * count + k]);
    ++count;
  }
  TVMFFIAny none = {0};
  call_global("ffi.DictClear", args, 1, &none);
  for (size_t i = 0; i < count; ++i) {
    TVMFFIAny entry[3] = {args[0], pairs[2 * i], pairs[2 * i + 1]};
    call_original(original, entry, 3, &none);
    for (int k = 1; k < 3; ++k) if (entry[k].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(entry[k].v_obj);
  }
  free(pairs);
  return 0;
}
WRAPPED_GLOBAL("ffi.DictSetItem", set)
