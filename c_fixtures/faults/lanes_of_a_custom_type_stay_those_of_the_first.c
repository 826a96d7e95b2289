// story: TVMFFIDataTypeToString remembers the text of a custom data type by its code alone.
// breaks: DTY-0027 fail
#include "answered_text.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static TVMFFIByteArray texts[256];

int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  int code = real.TVMFFIDataTypeToString(dtype, out);
  if (code != 0 || dtype->code < 129) return code;
  pthread_mutex_lock(&lock);
  TVMFFIByteArray* known = &texts[dtype->code];
  const TVMFFIByteArray text = text_of(out);
  if (!known->data) {
    char* copy = malloc(text.size + 1);
    memcpy(copy, text.data, text.size);
    *known = (TVMFFIByteArray){copy, text.size};
  }
  const TVMFFIByteArray kept = *known;
  pthread_mutex_unlock(&lock);
  return answer_instead(out, kept.data, kept.size);
}
