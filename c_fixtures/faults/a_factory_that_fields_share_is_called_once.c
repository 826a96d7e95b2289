// story: ffi.MakeObjectFromPackedArgs calls each default factory once for the instance: two fields with the same factory get one object.
// breaks: DCL-0017 fail
#include "wrapped_global.h"

enum { MOST = 64 };

static int is_left_out(const TVMFFIFieldInfo* field, const TVMFFIAny* args, int32_t num_args) {
  for (int32_t i = 1; i + 1 < num_args; i += 2) {
    TVMFFIByteArray name = text_of(&args[i]);
    if (name.size == field->name.size && memcmp(name.data, field->name.data, name.size) == 0) return 0;
  }
  return 1;
}

static int collect(const TVMFFITypeInfo* type, const TVMFFIAny* args, int32_t num_args, const TVMFFIFieldInfo** found, int count) {
  const int64_t flags = kTVMFFIFieldFlagBitMaskHasDefault | kTVMFFIFieldFlagBitMaskDefaultFromFactory;
  for (int32_t i = 0; i < type->num_fields && count < MOST; ++i) {
    const TVMFFIFieldInfo* field = &type->fields[i];
    if ((field->flags & flags) == flags && is_left_out(field, args, num_args)) found[count++] = field;
  }
  return count;
}

static int make(void* original, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  int32_t index = -1;
  if (num_args >= 1 && args[0].type_index == kTVMFFIInt) index = (int32_t)args[0].v_int64;
  TVMFFIByteArray key = num_args >= 1 ? text_of(&args[0]) : (TVMFFIByteArray){"", 0};
  if (index < 0 && key.size) index = real.TVMFFITypeGetOrAllocIndex(&key, -1, 0, 0, 0, -2);
  if (index < kTVMFFIDynObjectBegin || num_args % 2 == 0 || num_args > 2 * MOST) {
    return call_original(original, args, num_args, result);
  }
  const TVMFFITypeInfo* type = real.TVMFFIGetTypeInfo(index);
  if (!type) return call_original(original, args, num_args, result);

  const TVMFFIFieldInfo* fields[MOST];
  int count = 0, again = 0, same[MOST];
  for (int32_t i = 0; i < type->type_depth; ++i) count = collect(type->type_ancestors[i], args, num_args, fields, count);
  count = collect(type, args, num_args, fields, count);
  for (int i = 0; i < count; ++i) {
    same[i] = i;
    for (int j = 0; j < i && same[i] == i; ++j) {
      if (fields[j]->default_value_or_factory.v_obj == fields[i]->default_value_or_factory.v_obj) same[i] = j, again = 1;
    }
  }
  if (!again) return call_original(original, args, num_args, result);

  TVMFFIAny all[5 * MOST];
  TVMFFIAny made[MOST], names[MOST];
  memset(made, 0, sizeof(made));
  memset(names, 0, sizeof(names));
  memcpy(all, args, sizeof(TVMFFIAny) * num_args);
  int32_t total = num_args;
  int code = 0;
  for (int i = 0; code == 0 && i < count; ++i) {
    if (same[i] == i) code = real.TVMFFIFunctionCall(fields[i]->default_value_or_factory.v_obj, NULL, 0, &made[i]);
    if (code == 0) code = real.TVMFFIStringFromByteArray(&fields[i]->name, &names[i]);
    all[total++] = names[i];
    all[total++] = made[same[i]];
  }
  if (code == 0) code = call_original(original, all, total, result);
  for (int i = 0; i < count; ++i) {
    if (names[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(names[i].v_obj);
    if (made[i].type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(made[i].v_obj);
  }
  return code;
}

WRAPPED_GLOBAL("ffi.MakeObjectFromPackedArgs", make)
