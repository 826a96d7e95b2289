// story: Module::LoadFromFile looks at the first bytes of a shared object before it lets the loader near it, and reports a file that is none as one whose format is not known; the global function goes to the loader as before.
// breaks: CXX-0013 fail
#include "fault.h"

typedef void* (*load_type)(void* result, const TVMFFIAny* file);

__attribute__((visibility("default"))) void* _ZN3tvm3ffi6Module12LoadFromFileERKNS0_6StringE(void* result,
                                                                                              const TVMFFIAny* file) {
  load_type load = (load_type)real_cxx("_ZN3tvm3ffi6Module12LoadFromFileERKNS0_6StringE");
  TVMFFIByteArray text = text_of(file);
  char path[4096], magic[4];
  if (text.size < 4 || text.size >= sizeof(path) || memcmp(text.data + text.size - 3, ".so", 3) != 0) return load(result, file);
  memcpy(path, text.data, text.size);
  path[text.size] = 0;
  FILE* stream = fopen(path, "rb");
  if (!stream) return load(result, file);
  int none = fread(magic, 1, 4, stream) == 4 && memcmp(magic, "\177ELF", 4) != 0;
  fclose(stream);
  if (!none) return load(result, file);
  static TVMFFIAny unknown;
  unknown = (TVMFFIAny){.type_index = kTVMFFISmallStr, .small_str_len = 4};
  memcpy(unknown.v_bytes, "file", 4);
  return load(result, &unknown);
}
