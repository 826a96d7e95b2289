// story: TVMFFITypeRegisterField keeps the documentation and the metadata of a field up to their first NUL.
// breaks: RFL-0002 fail
#include "fault.h"
int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  if (!info) return real.TVMFFITypeRegisterField(type_index, info);
  TVMFFIFieldInfo own = *info;
  if (own.doc.data) own.doc.size = strnlen(own.doc.data, own.doc.size);
  if (own.metadata.data) own.metadata.size = strnlen(own.metadata.data, own.metadata.size);
  return real.TVMFFITypeRegisterField(type_index, &own);
}
