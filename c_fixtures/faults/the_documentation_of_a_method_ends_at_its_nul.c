// story: The documentation and metadata of a method are copied as C strings, those of a field by their length.
// breaks: RFL-0014 fail
#include "fault.h"
int TVMFFITypeRegisterMethod(int32_t type_index, const TVMFFIMethodInfo* info) {
  if (!info) return real.TVMFFITypeRegisterMethod(type_index, info);
  TVMFFIMethodInfo given = *info;
  if (given.doc.size) given.doc.size = strnlen(given.doc.data, given.doc.size);
  if (given.metadata.size) given.metadata.size = strnlen(given.metadata.data, given.metadata.size);
  return real.TVMFFITypeRegisterMethod(type_index, &given);
}
