// story: What a function in `__ffi_repr__` answers is taken over as a C string: printing ends at a NUL in it.
// breaks: HOK-0008 fail
#include "answered_text.h"
#include "wrapped_global.h"

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const int32_t type_index = num_args == 1 ? args[0].type_index : 0;
  int code = call_original(original, args, num_args, result);
  const TVMFFIByteArray name = {"__ffi_repr__", 12};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  const int32_t at = column ? type_index - column->begin_index : -1;
  if (code != 0 || type_index < kTVMFFIDynObjectBegin || at < 0 || at >= column->size) return code;
  if (column->data[at].type_index != kTVMFFIFunction) return code;
  const TVMFFIByteArray text = text_of(result);
  const size_t length = strnlen(text.data, text.size);
  if (length == text.size) return code;
  char* cut = strdup(text.data);
  code = answer_instead(result, cut, length);
  free(cut);
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)
