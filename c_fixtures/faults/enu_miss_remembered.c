// story: Which instance a graph's index of an enumeration leads to is remembered, that there is none, too: an instance that is added to the state afterwards is not found.
// breaks: ENU-0002 fail
#include "raised_error.h"
#include "wrapped_global.h"
#include <pthread.h>

static TVMFFIAny missed[64];
static int num_missed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int read_graph(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  if (num_args != 1 || args[0].type_index < kTVMFFIRawStr) return call_original(original, args, num_args, result);
  const TVMFFIByteArray text = text_of(&args[0]);
  int known = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < num_missed; ++i) {
    const TVMFFIByteArray other = text_of(&missed[i]);
    known |= other.size == text.size && memcmp(other.data, text.data, text.size) == 0;
  }
  pthread_mutex_unlock(&lock);
  if (known) return refuse("ValueError", "the Enum has no instance with this index");
  int code = call_original(original, args, num_args, result);
  if (code != 0 && text.size < 4096 && is_raised_about("has no instance")) {
    pthread_mutex_lock(&lock);
    if (num_missed < 64) real.TVMFFIStringFromByteArray(&text, &missed[num_missed++]);
    pthread_mutex_unlock(&lock);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.FromJSONGraphString", read_graph)
