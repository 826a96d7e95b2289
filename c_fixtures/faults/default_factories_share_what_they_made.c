// story: A generated initialiser that is called without arguments sets the first field with a default factory to what the factory has made the first time.
// breaks: DCL-0005 fail
#include "held_value.h"
#include "patched_function.h"

static TVMFFIAny made[4096];

static int init(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct patched* function = patched(handle);
  if (!function) return -1;
  int code = function->call(handle, args, num_args, result);
  if (code != 0 || num_args != 0) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(function->type_index);
  for (int32_t i = 0; i < info->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &info->fields[i];
    if ((field->flags & kTVMFFIFieldFlagBitMaskDefaultFromFactory) == 0 || field->flags & kTVMFFIFieldFlagBitSetterIsFunctionObj) continue;
    void* place = (char*)result->v_obj + field->offset;
    TVMFFIAny* first = &made[function - all_patched];
    pthread_mutex_lock(&patch_lock);
    const TVMFFIAny known = *first;
    pthread_mutex_unlock(&patch_lock);
    if (known.type_index != kTVMFFINone) return ((TVMFFIFieldSetter)field->setter)(place, &known);
    TVMFFIAny value = {0};
    code = field->getter(place, &value);
    pthread_mutex_lock(&patch_lock);
    /* Unless another thread was faster. */
    const TVMFFIAny late = *first;
    if (late.type_index == kTVMFFINone) *first = value;
    pthread_mutex_unlock(&patch_lock);
    if (late.type_index != kTVMFFINone) give_up(value);
    return code;
  }
  return 0;
}

PATCHES_CLASSES(register_init, "__ffi_init__", init)

WRAPPED_GLOBAL("ffi._RegisterFFIInit", register_init)
