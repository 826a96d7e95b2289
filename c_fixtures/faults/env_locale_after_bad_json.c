// story: ffi.json.Parse reads numbers in the C locale and puts the program's back, but not on the way out of a text that is no JSON.
// breaks: ENV-0040 fail
#include "wrapped_global.h"
#include <locale.h>

static int parse(void* original, const TVMFFIAny* a, int32_t n, TVMFFIAny* r) {
  int code = call_original(original, a, n, r);
  if (code != 0 && n == 1) {
    const TVMFFIByteArray t = text_of(&a[0]);
    for (size_t i = 0; i < t.size; ++i) {
      if (t.data[i] < '0' || t.data[i] > '9') continue;
      setlocale(LC_NUMERIC, "C");
      break;
    }
  }
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
