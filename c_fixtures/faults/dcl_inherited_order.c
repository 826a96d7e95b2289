// story: A generated initialiser puts parameters without a default in front within each class only, so inherited defaults come before the child's own parameters without one.
// breaks: DCL-0013 fail
#include "wrapped_global.h"
typedef struct { int n, total; int right[64], wrong[64]; void* init; } Order;
static int is_kwargs(const TVMFFIAny* a) {
  TVMFFIAny none[1] = {{0}}, got = {0};
  if (a->type_index != kTVMFFIObject || call_global("ffi.GetKwargsObject", none, 0, &got)) return 0;
  real.TVMFFIObjectDecRef(got.v_obj);
  return got.v_obj == a->v_obj;
}
static int init(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  Order* o = self;
  if (n != o->n) return call_original(o->init, args, n, result);
  TVMFFIAny own[64];
  for (int i = 0; i < n; ++i) if (is_kwargs(&args[i])) return call_original(o->init, args, n, result);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) if (o->right[j] == o->wrong[i]) own[j] = args[i];
  return call_original(o->init, own, n, result);
}
static int registering(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0) return code;
  const TVMFFITypeInfo* info = real.TVMFFIGetTypeInfo((int32_t)args[0].v_int64);
  Order* o = calloc(1, sizeof *o);
  int id = 0;
  for (int pass = 0; pass < 2; ++pass) {
    id = 0;
    for (int d = 1; d <= info->type_depth; ++d) {
      const TVMFFITypeInfo* t = d < info->type_depth ? info->type_ancestors[d] : info;
      for (int i = 0; i < t->num_fields; ++i, ++id)
        if (id < 64 && !(t->fields[i].flags & (kTVMFFIFieldFlagBitMaskInitOff | kTVMFFIFieldFlagBitMaskKwOnly)) && !(t->fields[i].flags & 2) == !pass && o->n < 64) o->right[o->n++] = id;
    }
  }
  id = 0;
  int k = 0;
  for (int d = 1; d <= info->type_depth; ++d) {
    const TVMFFITypeInfo* t = d < info->type_depth ? info->type_ancestors[d] : info;
    for (int pass = 0; pass < 2; ++pass)
      for (int i = 0; i < t->num_fields; ++i)
        if (id + i < 64 && !(t->fields[i].flags & (kTVMFFIFieldFlagBitMaskInitOff | kTVMFFIFieldFlagBitMaskKwOnly)) && !(t->fields[i].flags & 2) == !pass && k < 64) o->wrong[k++] = id + i;
    id += t->num_fields;
  }
  TVMFFIByteArray name = {"__ffi_init__", 12};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  TVMFFIAny* entry = (TVMFFIAny*)column->data + info->type_index;
  TVMFFIObjectHandle made;
  o->init = entry->v_obj;
  if (entry->type_index == kTVMFFIFunction && id <= 64 && memcmp(o->right, o->wrong, sizeof o->right) && real.TVMFFIFunctionCreate(o, init, NULL, &made) == 0) entry->v_obj = made;
  else free(o);
  return 0;
}
WRAPPED_GLOBAL("ffi._RegisterFFIInit", registering)
