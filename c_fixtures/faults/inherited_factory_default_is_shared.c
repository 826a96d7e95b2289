// story: A generated initialiser of a derived class keeps what the factory of an inherited field has made, and puts it into later instances, too.
// breaks: DCL-0005 fail
#include "patched_function.h"
static struct { int32_t type_index; const void* name; TVMFFIAny value; } made[256];
static int num_made;
static pthread_mutex_t made_lock = PTHREAD_MUTEX_INITIALIZER;
static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* p = patched(handle);
  if (!p) return -1;
  int code = p->call(handle, args, num_args, result);
  if (code != 0 || num_args != 0) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(p->type_index);
  pthread_mutex_lock(&made_lock);
  for (int32_t d = 0; d < info->type_depth; ++d) {
    const TVMFFITypeInfo* base = info->type_ancestors[d];
    for (int32_t i = 0; i < base->num_fields; ++i) {
      const TVMFFIFieldInfo* field = &base->fields[i];
      if (!(field->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory) || field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) continue;
      char* place = (char*)result->v_obj + field->offset;
      int k = 0;
      while (k < num_made && (made[k].type_index != p->type_index || made[k].name != field->name.data)) ++k;
      if (k < num_made) {
        ((TVMFFIFieldSetter)field->setter)(place, &made[k].value);
      } else if (k < 256) {
        made[k].type_index = p->type_index, made[k].name = field->name.data, made[k].value = (TVMFFIAny){0};
        if (field->getter(place, &made[k].value) == 0) ++num_made;
      }
    }
  }
  pthread_mutex_unlock(&made_lock);
  return 0;
}
PATCHES_CLASSES(register_init, "__ffi_init__", init)
WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)
