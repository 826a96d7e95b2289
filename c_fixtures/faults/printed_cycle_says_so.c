// story: A List that contains itself is printed with the word `cycle` in the place of itself.
// breaks: REC-0028 fail
#include "wrapped_global.h"

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0 || (result->type_index != kTVMFFIStr && result->type_index != kTVMFFISmallStr)) return code;
  const char* text = result->type_index == kTVMFFISmallStr ? result->v_bytes : ((TVMFFIByteArray*)(result->v_obj + 1))->data;
  size_t size = result->type_index == kTVMFFISmallStr ? result->small_str_len : ((TVMFFIByteArray*)(result->v_obj + 1))->size;
  if (size == 0 || text[0] != '[') return 0;
  char* changed = malloc(2 * size + 1);
  size_t length = 0;
  for (size_t i = 0; i < size; i++) {
    if (i + 2 < size && memcmp(text + i, "...", 3) == 0) {
      memcpy(changed + length, "cycle", 5);
      length += 5;
      i += 2;
    } else {
      changed[length++] = text[i];
    }
  }
  TVMFFIByteArray array = {changed, length};
  TVMFFIAny old = *result;
  code = real.TVMFFIStringFromByteArray(&array, result);
  if (old.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(old.v_obj);
  free(changed);
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
