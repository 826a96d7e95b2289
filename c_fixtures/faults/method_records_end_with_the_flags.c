// story: In the records of methods the flags lie where the function belongs, and the function where the flags do.
// breaks: RFL-0014 fail
#include "changed_record.h"

static int is_changed(const TVMFFITypeInfo* info) { return info->num_methods > 0; }

static void change(TVMFFITypeInfo* record) {
  for (int32_t i = 0; i < record->num_methods; ++i) {
    TVMFFIMethodInfo* method = (TVMFFIMethodInfo*)record->methods + i;
    const int64_t flags = method->flags;
    const TVMFFIAny function = method->method;
    char* from = (char*)&method->flags;
    memcpy(from, &function, sizeof(function));
    memcpy(from + sizeof(function), &flags, sizeof(flags));
  }
}

CHANGED_RECORDS(is_changed, change)
