// story: A container that stands twice in a List is printed as ... the second time, as if it contained itself.
// breaks: REC-0037 fail
#include "wrapped_global.h"

static void add(char** to, size_t* size, const char* text, size_t length) {
  *to = realloc(*to, *size + length + 1);
  memcpy(*to + *size, text, length);
  *size += length;
}

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int twice = 0;
  if (num_args == 1 && args[0].type_index == kTVMFFIList) {
    const TVMFFISeqCell* cell = sequence_cell(args);
    const TVMFFIAny* elements = cell->data;
    for (int64_t i = 1; i < cell->size && cell->size < 64; ++i) {
      for (int64_t k = 0; k < i; ++k) {
        twice |= elements[i].type_index == kTVMFFIList && elements[i].v_obj == elements[k].v_obj && elements[i].v_obj != args[0].v_obj;
      }
    }
  }
  if (!twice) return call_original(original, args, num_args, result);
  const TVMFFISeqCell* cell = sequence_cell(args);
  const TVMFFIAny* elements = cell->data;
  char* out = NULL;
  size_t size = 0;
  int code = 0;
  for (int64_t i = 0; i < cell->size && code == 0; ++i) {
    int again = 0;
    for (int64_t k = 0; k < i; ++k) again |= elements[i].type_index == kTVMFFIList && elements[i].v_obj == elements[k].v_obj;
    add(&out, &size, i ? ", " : "[", i ? 2 : 1);
    if (again) {
      add(&out, &size, "...", 3);
      continue;
    }
    TVMFFIAny text = {0};
    code = call_original(original, &elements[i], 1, &text);
    if (code != 0) break;
    TVMFFIByteArray bytes = text_of(&text);
    add(&out, &size, bytes.data, bytes.size);
    if (text.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(text.v_obj);
  }
  add(&out, &size, "]", 1);
  if (code == 0) code = real.TVMFFIStringFromByteArray(&(TVMFFIByteArray){out, size}, result);
  free(out);
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
