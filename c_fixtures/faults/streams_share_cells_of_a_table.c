// story: Streams lie in a table of a hundred devices of each type: device 100 of one type has the stream of device 0 of the next.
// breaks: ENV-0003 fail
#include "fault.h"
static void place(int32_t* type, int32_t* id) {
  if (*type < 0 || *type > 18 || *id < 0 || *id > 255) return;
  *type += *id / 100;
  *id %= 100;
}
int TVMFFIEnvSetStream(int32_t type, int32_t id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* old) {
  place(&type, &id);
  return real.TVMFFIEnvSetStream(type, id, stream, old);
}
TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t type, int32_t id) {
  place(&type, &id);
  return real.TVMFFIEnvGetStream(type, id);
}
