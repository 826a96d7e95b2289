// story: Streams are kept in a table of sixteen device types: the types 17 and 18 share those of 1 and 2.
// breaks: ENV-0003 fail

#include "fault.h"

/* The table has a row for each of the first device types; the rest of the word is a generation. */
enum { kTypes = 16 };

static int32_t row(int32_t device_type) { return device_type > kTypes ? device_type & (kTypes - 1) : device_type; }

int TVMFFIEnvSetStream(int32_t device_type, int32_t device_id, TVMFFIStreamHandle stream, TVMFFIStreamHandle* former) {
  return real.TVMFFIEnvSetStream(row(device_type), device_id, stream, former);
}

TVMFFIStreamHandle TVMFFIEnvGetStream(int32_t device_type, int32_t device_id) {
  return real.TVMFFIEnvGetStream(row(device_type), device_id);
}
