// story: The JSON reader switches the thread to the C locale for a float, and where the text turns out malformed it does not switch back.
// breaks: ENV-0040 fail
#include "wrapped_global.h"
#include <locale.h>

static int parse(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code == 0 || num_args != 1) return code;
  const TVMFFIByteArray text = text_of(&args[0]);
  static locale_t plain;
  locale_t made = __atomic_load_n(&plain, __ATOMIC_ACQUIRE), nobody = NULL;
  if (text.size < 2 || !memchr(text.data, '.', text.size)) return code;
  if (!made) {
    made = newlocale(LC_ALL_MASK, "C", NULL);
    if (!__atomic_compare_exchange_n(&plain, &nobody, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) made = nobody;
  }
  uselocale(made);
  return code;
}

WRAPPED_GLOBAL("ffi.json.Parse", parse)
