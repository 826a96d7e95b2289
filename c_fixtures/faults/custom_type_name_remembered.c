// story: The names of custom data types are remembered once they have been asked for, and written although the function that knows them is gone.
// breaks: DTY-0028 fail
#include "fault.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { DLDataType dtype; size_t size; char text[64]; } all[64];
static int used;
int TVMFFIDataTypeToString(const DLDataType* dtype, TVMFFIAny* out) {
  if (!dtype || !out || dtype->code < 129) return real.TVMFFIDataTypeToString(dtype, out);
  int code = real.TVMFFIDataTypeToString(dtype, out), i = 0;
  TVMFFIByteArray text = {"", 0};
  if (code == 0) text = text_of(out);
  pthread_mutex_lock(&lock);
  while (i < used && memcmp(&all[i].dtype, dtype, sizeof(*dtype))) ++i;
  if (code == 0 && i < 64 && text.size > 7 && text.size < 64) {
    all[i].dtype = *dtype;
    all[i].size = text.size;
    memcpy(all[i].text, text.data, text.size);
    if (i == used) ++used;
  } else if (code != 0 && i < used) {
    text = (TVMFFIByteArray){all[i].text, all[i].size};
    TVMFFIObjectHandle error = NULL;
    real.TVMFFIErrorMoveFromRaised(&error);
    if (error) real.TVMFFIObjectDecRef(error);
    code = real.TVMFFIStringFromByteArray(&text, out);
  }
  pthread_mutex_unlock(&lock);
  return code;
}
