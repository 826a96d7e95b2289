// story: A generated initialiser calls the default factory of a field also when the field is given by name, and throws the answer away.
// breaks: DCL-0005 fail
#include "wrapped_global.h"

struct initialiser {
  TVMFFIObjectHandle original;
  int32_t type_index;
};

static void run_factory(const TVMFFITypeInfo* info, const TVMFFIByteArray* name) {
  for (int32_t i = 0; i < info->num_fields; ++i) {
    const TVMFFIFieldInfo* field = &info->fields[i];
    const int64_t made = kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitMaskDefaultFromFactory;
    if ((field->flags & made) != made || field->default_value_or_factory.type_index != kTVMFFIFunction) continue;
    if (field->name.size != name->size || memcmp(field->name.data, name->data, name->size) != 0) continue;
    TVMFFIAny result = {0};
    if (real.TVMFFIFunctionCall(field->default_value_or_factory.v_obj, NULL, 0, &result) != 0) {
      real.TVMFFIErrorSetRaised(NULL);
    } else if (result.type_index >= kTVMFFIStaticObjectBegin) {
      real.TVMFFIObjectDecRef(result.v_obj);
    }
  }
}

static int initialise(void* self, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  const struct initialiser* of = self;
  TVMFFIAny kwargs = {0};
  if (call_global("ffi.GetKwargsObject", NULL, 0, &kwargs) != 0) return -1;
  int32_t at = 0;
  while (at < num_args && !(args[at].type_index == kTVMFFIObject && args[at].v_obj == kwargs.v_obj)) ++at;
  real.TVMFFIObjectDecRef(kwargs.v_obj);
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo(of->type_index);
  for (++at; at + 1 < num_args; at += 2) {
    TVMFFIByteArray name = text_of(&args[at]);
    for (int32_t i = 0; i < info->type_depth; ++i) run_factory(info->type_ancestors[i], &name);
    run_factory(info, &name);
  }
  return call_original(of->original, args, num_args, result);
}

static int declare(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int code = call_original(original, args, num_args, result);
  if (code != 0) return code;
  const TVMFFIByteArray name = {"__ffi_init__", 12};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  TVMFFIAny* entry = (TVMFFIAny*)&column->data[args[0].v_int64];
  struct initialiser* of = malloc(sizeof(*of));
  *of = (struct initialiser){entry->v_obj, args[0].v_int64};
  TVMFFIObjectHandle made = NULL;
  code = real.TVMFFIFunctionCreate(of, initialise, free, &made);
  if (code == 0) entry->v_obj = made;
  return code;
}

WRAPPED_GLOBAL("ffi._RegisterFFIInit", declare)
