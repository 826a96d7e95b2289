// story: A short String object that is moved into an owned value is stored inline, so that the object itself is lost.
// breaks: ANY-0019 fail
#include "fault.h"

int TVMFFIAnyViewToOwnedAny(const TVMFFIAny* any_view, TVMFFIAny* out) {
  int moved = any_view && any_view->type_index == kTVMFFIObjectRValueRef;
  int code = real.TVMFFIAnyViewToOwnedAny(any_view, out);
  if (code != 0 || !moved || (out->type_index != kTVMFFIStr && out->type_index != kTVMFFIBytes)) return code;
  TVMFFIObject* object = out->v_obj;
  TVMFFIByteArray text = *(TVMFFIByteArray*)(object + 1);
  if (text.size > 7) return 0;
  out->type_index = out->type_index == kTVMFFIStr ? kTVMFFISmallStr : kTVMFFISmallBytes;
  out->small_str_len = text.size;
  out->v_int64 = 0;
  memcpy(out->v_bytes, text.data, text.size);
  return real.TVMFFIObjectDecRef(object);
}
