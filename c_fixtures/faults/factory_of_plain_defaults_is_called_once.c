// story: ffi.MakeObjectFromPackedArgs keeps what a default factory has answered where it is a plain value, which can be given to every instance, and does not call the factory again.
// breaks: DCL-0017 fail
#include "wrapped_global.h"

#include <pthread.h>

static struct known { struct known* next; const void* factory; TVMFFIAny value; } *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int has_factory(const TVMFFIFieldInfo* field) {
  const int64_t flags = kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitMaskDefaultFromFactory;
  return (field->flags & flags) == flags && !(field->flags & kTVMFFIFieldFlagBitMaskInitOff);
}

static int is_given(const TVMFFIByteArray* name, const TVMFFIAny* args, int32_t num_args) {
  for (int32_t i = 1; i + 1 < num_args; i += 2) {
    const TVMFFIByteArray other = text_of(&args[i]);
    if (other.size == name->size && memcmp(other.data, name->data, name->size) == 0) return 1;
  }
  return 0;
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const TVMFFITypeInfo* info = NULL;
  if (num_args > 0 && args[0].type_index == kTVMFFIInt) info = real.TVMFFIGetTypeInfo((int32_t)args[0].v_int64);
  if (!info || num_args % 2 == 0) return call_original(original, args, num_args, result);
  TVMFFIAny* given = calloc((size_t)(num_args + 2 * info->num_fields), sizeof(TVMFFIAny));
  TVMFFIAny* names = calloc((size_t)info->num_fields + 1, sizeof(TVMFFIAny));
  memcpy(given, args, (size_t)num_args * sizeof(TVMFFIAny));
  int32_t num_given = num_args;
  pthread_mutex_lock(&lock);
  for (int32_t i = 0; i < info->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &info->fields[i];
    if (!has_factory(field) || is_given(&field->name, args, num_args)) continue;
    const struct known* known = all;
    while (known && known->factory != field->default_value_or_factory.v_obj) known = known->next;
    if (!known) continue;
    real.TVMFFIStringFromByteArray(&field->name, &names[i]);
    given[num_given++] = names[i];
    given[num_given++] = known->value;
  }
  pthread_mutex_unlock(&lock);
  int code = call_original(original, given, num_given, result);
  for (int32_t i = 0; code == 0 && i < info->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &info->fields[i];
    TVMFFIAny value = {0};
    if (!has_factory(field) || is_given(&field->name, given, num_given)) continue;
    if (field->getter((char*)result->v_obj + field->offset, &value) != 0) continue;
    if (value.type_index >= kTVMFFIStaticObjectBegin) {
      real.TVMFFIObjectDecRef(value.v_obj);
      continue;
    }
    struct known* known = malloc(sizeof(*known));
    known->factory = field->default_value_or_factory.v_obj;
    known->value = value;
    pthread_mutex_lock(&lock);
    known->next = all;
    all = known;
    pthread_mutex_unlock(&lock);
  }
  for (int32_t i = 0; i < info->num_fields; ++i) {
    if (names[i].type_index == kTVMFFIStr) real.TVMFFIObjectDecRef(names[i].v_obj);
  }
  free(given);
  free(names);
  return code;
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
