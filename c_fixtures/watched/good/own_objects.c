// story: Objects of a client's own: on the heap with a deleter that frees everything at once, and static ones without a deleter.
#include "../client.h"

struct point {
  TVMFFIObject header;
  int64_t x, y;
};

static int alive;

static void free_point(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) --alive;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(self);
}

static struct point* point(int32_t type_index) {
  struct point* made = calloc(1, sizeof(*made));
  made->header.combined_ref_count = 0x100000001;
  made->header.type_index = type_index;
  made->header.deleter = free_point;
  ++alive;
  return made;
}

CALLBACK(same) {
  *result = args[0];
  return TVMFFIObjectIncRef(args[0].v_obj);
}

int main(void) {
  TVMFFIByteArray key = bytes("watched.Point");
  int32_t index = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 0, kTVMFFIObject);
  static struct point origin = {.header = {.combined_ref_count = 0x100000001}};
  origin.header.type_index = index;
  TVMFFIObjectHandle f = function(same), make = global("ffi.Array");
  for (int i = 0; i < 500; ++i) {
    TVMFFIAny values[2] = {object(point(index)), object(&origin)}, result = none(), array = none();
    must(TVMFFIFunctionCall(f, &values[i % 2], 1, &result));
    must(TVMFFIFunctionCall(make, values, 2, &array));
    release(values[0].v_obj);
    release(array.v_obj);
    release(result.v_obj);
  }
  release(make);
  release(f);
  return alive == 0 ? 0 : 1;
}
