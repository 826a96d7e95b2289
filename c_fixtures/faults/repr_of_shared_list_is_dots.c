// story: ffi.ReprPrint writes a List that stands twice in an Array as dots the second time, as if it were being printed still.
// breaks: REC-0037 fail
#include "wrapped_global.h"

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index != kTVMFFIArray) return call_original(original, args, num_args, result);
  TVMFFISeqCell* cell = sequence_cell(&args[0]);
  TVMFFIAny* items = cell->data;
  int twice = 0;
  for (int64_t i = 0; i < cell->size && i < 256; ++i) {
    for (int64_t j = 0; j < i; ++j) twice |= items[i].type_index == kTVMFFIList && items[j].type_index == kTVMFFIList && items[i].v_obj == items[j].v_obj;
  }
  if (!twice) return call_original(original, args, num_args, result);
  char* text = strdup("(");
  size_t size = 1;
  for (int64_t i = 0; i < cell->size; ++i) {
    TVMFFIAny part = {0};
    int again = 0;
    for (int64_t j = 0; j < i; ++j) again |= items[i].type_index == kTVMFFIList && items[j].type_index == kTVMFFIList && items[i].v_obj == items[j].v_obj;
    int code = again ? real.TVMFFIStringFromByteArray(&(TVMFFIByteArray){"...", 3}, &part) : call_original(original, &items[i], 1, &part);
    if (code != 0) {
      free(text);
      return code;
    }
    TVMFFIByteArray piece = part.type_index == kTVMFFISmallStr ? (TVMFFIByteArray){part.v_bytes, part.small_str_len} : *(TVMFFIByteArray*)(part.v_obj + 1);
    text = realloc(text, size + piece.size + 3);
    if (i) {
      memcpy(text + size, ", ", 2);
      size += 2;
    }
    memcpy(text + size, piece.data, piece.size);
    size += piece.size;
    if (part.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(part.v_obj);
  }
  text[size++] = ')';
  int code = real.TVMFFIStringFromByteArray(&(TVMFFIByteArray){text, size}, result);
  free(text);
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
