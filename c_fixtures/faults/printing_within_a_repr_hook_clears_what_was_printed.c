// story: Texts are printed into a buffer of the thread, so a hook that prints a value by ffi.ReprPrint clears what stood in front of its object.
// breaks: HOK-0021 fail
#include "wrapped_global.h"

static __thread int depth;
static __thread char cleared[512];

static int print(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  ++depth;
  if (depth == 1) *cleared = 0;
  int code = call_original(original, args, num_args, result);
  --depth;
  if (code != 0) return code;
  const TVMFFIByteArray text = text_of(result);
  if (depth > 0) {
    snprintf(cleared, sizeof(cleared), "%.*s", (int)text.size, text.data);
    return 0;
  }
  const char* from = *cleared ? strstr(text.data, cleared) : NULL;
  if (!from || from == text.data) return 0;
  const TVMFFIByteArray rest = {from, text.size - (size_t)(from - text.data)};
  TVMFFIAny whole = *result;
  code = real.TVMFFIStringFromByteArray(&rest, result);
  if (whole.type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(whole.v_obj);
  return code;
}

WRAPPED_GLOBAL("ffi.ReprPrint", print)

