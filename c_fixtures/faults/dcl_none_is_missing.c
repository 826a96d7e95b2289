// story: A generated initialiser takes a keyword argument that is None for one that was not given, and uses the default.
// breaks: DCL-0006 fail
#include "wrapped_global.h"
typedef struct { const TVMFFITypeInfo* info; void* init; } Init;
static int has_default(const TVMFFITypeInfo* info, const TVMFFIAny* name) {
  TVMFFIByteArray text = text_of(name);
  for (int d = 0; d <= info->type_depth; ++d) {
    const TVMFFITypeInfo* t = d < info->type_depth ? info->type_ancestors[d] : info;
    for (int i = 0; i < t->num_fields; ++i)
      if (t->fields[i].name.size == text.size && !memcmp(text.data, t->fields[i].name.data, text.size)) return (t->fields[i].flags & 2) != 0;
  }
  return 0;
}
static int init(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  Init* o = self;
  TVMFFIAny none[1] = {{0}}, kwargs = {0}, own[64];
  int m = 0, i = 0;
  if (n > 64 || call_global("ffi.GetKwargsObject", none, 0, &kwargs)) return call_original(o->init, args, n, result);
  real.TVMFFIObjectDecRef(kwargs.v_obj);
  for (; i < n && !(args[i].type_index == kTVMFFIObject && args[i].v_obj == kwargs.v_obj); ++i) own[m++] = args[i];
  if (i < n) own[m++] = args[i++];
  for (; i < n; i += 2) {
    if (i + 1 < n && args[i + 1].type_index == kTVMFFINone && has_default(o->info, &args[i])) continue;
    own[m++] = args[i];
    if (i + 1 < n) own[m++] = args[i + 1];
  }
  return call_original(o->init, own, m, result);
}
static int registering(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  int code = call_original(self, args, n, result);
  if (code != 0) return code;
  TVMFFIByteArray name = {"__ffi_init__", 12};
  const TVMFFITypeAttrColumn* column = real.TVMFFIGetTypeAttrColumn(&name);
  TVMFFIAny* entry = (TVMFFIAny*)column->data + args[0].v_int64;
  Init* o = malloc(sizeof *o);
  TVMFFIObjectHandle made;
  *o = (Init){real.TVMFFIGetTypeInfo((int32_t)args[0].v_int64), entry->v_obj};
  if (entry->type_index == kTVMFFIFunction && real.TVMFFIFunctionCreate(o, init, NULL, &made) == 0) entry->v_obj = made;
  return 0;
}
WRAPPED_GLOBAL("ffi._RegisterFFIInit", registering)
