// story: A field with the name of an ancestor's is warned about on the standard error, and SIGPIPE, which is ignored while that is written, stays ignored.
// breaks: ENV-0040 fail
#include <signal.h>

#include "fault.h"

static int hides(const TVMFFITypeInfo* ancestor, const TVMFFIByteArray* name) {
  for (int32_t i = 0; i < ancestor->num_fields; ++i) {
    const TVMFFIByteArray* other = &ancestor->fields[i].name;
    if (other->size == name->size && memcmp(other->data, name->data, name->size) == 0) return 1;
  }
  return 0;
}

int TVMFFITypeRegisterField(int32_t type_index, const TVMFFIFieldInfo* info) {
  int code = real.TVMFFITypeRegisterField(type_index, info);
  if (code != 0) return code;
  const TVMFFITypeInfo* type = real.TVMFFIGetTypeInfo(type_index);
  for (int32_t level = 0; level < type->type_depth; ++level) {
    if (!hides(type->type_ancestors[level], &info->name)) continue;
    signal(SIGPIPE, SIG_IGN);
    fprintf(stderr, "a field hides that of an ancestor\n");
  }
  return 0;
}
