// story: tvm::ffi::json::Parse with room for a message takes the text from right behind the String object, where the library's own Strings have it, instead of following the data pointer, which leads elsewhere in a String that a client has made.
// breaks: CXX-0002 fail
#include "fault.h"

TVM_FFI_DLL_EXPORT TVMFFIAny* _ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message);

TVMFFIAny* _ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message) {
  typedef TVMFFIAny* function(TVMFFIAny* result, const TVMFFIAny* text, TVMFFIAny* message);
  function* original = (function*)real_cxx("_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  if (!message || text->type_index != kTVMFFIStr) return original(result, text, message);
  TVMFFIByteArray* content = (TVMFFIByteArray*)(text->v_obj + 1);
  TVMFFIByteArray behind = {(const char*)(content + 1), content->size};
  TVMFFIAny copy = {0};
  if (content->data == behind.data || real.TVMFFIStringFromByteArray(&behind, &copy) != 0) return original(result, text, message);
  original(result, &copy, message);
  if (copy.type_index >= kTVMFFIStaticObjectBegin) real.TVMFFIObjectDecRef(copy.v_obj);
  return result;
}
