#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <tvm/ffi/extra/c_env_api.h>

/* ---- Values ---- */
#define BYTES(text) (&(TVMFFIByteArray){text, sizeof(text) - 1})
#define PLUS(address, offset) ((void*)((char*)(address) + (offset)))
#define AT(address, offset) (*(void**)PLUS(address, offset))
static inline TVMFFIAny plain(int32_t type, uint64_t word) { return (TVMFFIAny){.type_index = type, .v_uint64 = word}; }
static inline TVMFFIAny none(void) { return plain(kTVMFFINone, 0); }
static inline TVMFFIAny boolean(int value) { return plain(kTVMFFIBool, value); }
static inline TVMFFIAny integer(int64_t value) { return plain(kTVMFFIInt, value); }
static inline TVMFFIAny bits(uint64_t value) { return plain(kTVMFFIFloat, value); }
static inline TVMFFIAny number(double value) { return (TVMFFIAny){.type_index = kTVMFFIFloat, .v_float64 = value}; }
static inline TVMFFIAny address(int32_t type, const void* p) { return plain(type, (uintptr_t)p); }
static inline TVMFFIAny pointer(const void* p) { return address(kTVMFFIOpaquePtr, p); }
static inline TVMFFIAny c_str(const char* text) { return address(kTVMFFIRawStr, text); }
static inline TVMFFIAny byte_array(const TVMFFIByteArray* a) { return address(kTVMFFIByteArrayPtr, a); }
static inline TVMFFIAny borrowed(const DLTensor* tensor) { return address(kTVMFFIDLTensorPtr, tensor); }
static inline TVMFFIAny object(int32_t type, const void* handle) { return address(type, handle); }
static inline TVMFFIAny moved(TVMFFIObjectHandle* handle) { return address(kTVMFFIObjectRValueRef, handle); }
static inline TVMFFIAny small(int32_t type, const TVMFFIByteArray* text) {
  TVMFFIAny value = plain(type, 0);
  value.small_str_len = (uint32_t)text->size;
  memcpy(&value.v_uint64, text->data, text->size);
  return value;
}

/* ---- Objects of the client's own: their memory stays ---- */
static inline void end_own(void* self, int flags) {
  (void)self;
  printf("   the deleter of an object of the client's own runs, flags %d\n", flags);
}
static inline void* own_object(void) {
  TVMFFIObject* made = calloc(1, sizeof(*made));
  made->combined_ref_count = (uint64_t)1 << 32 | 1;
  made->type_index = kTVMFFIObject;
  made->deleter = end_own;
  return made;
}

/* ---- References, counted as compiled clients do ---- */
static inline uint64_t* counts_of(void* object) { return (uint64_t*)object; }
static inline void retain(void* object) { __atomic_fetch_add(counts_of(object), 1, __ATOMIC_RELAXED); }
static inline void retain_weak(void* object) { __atomic_fetch_add(counts_of(object), (uint64_t)1 << 32, __ATOMIC_RELAXED); }
static inline void end(void* object, int flags) {
  if (((TVMFFIObject*)object)->deleter) ((TVMFFIObject*)object)->deleter(object, flags);
}
static inline void release_weak(void* object) {
  if (__atomic_fetch_sub(counts_of(object), (uint64_t)1 << 32, __ATOMIC_ACQ_REL) == (uint64_t)1 << 32) end(object, 2);
}
static inline void release(void* object) {
  uint64_t before = __atomic_fetch_sub(counts_of(object), 1, __ATOMIC_ACQ_REL);
  if (before == ((uint64_t)1 << 32 | 1)) end(object, 3);
  else if ((uint32_t)before == 1) end(object, 1), release_weak(object);
}
static inline int promote(void* object) {
  uint64_t count = *counts_of(object);
  if ((uint32_t)count) *counts_of(object) = count + 1;
  return (uint32_t)count != 0;
}

/* ---- What stands in for functions of the suite's own ---- */
static inline int stand_in(void* self, const TVMFFIAny* args, int32_t count, TVMFFIAny* result) {
  (void)self, (void)args, (void)result;
  printf("   a function of the suite's own is called with %d arguments; here it answers None\n", count);
  return 0;
}
static inline void end_stand_in(void* self) { (void)self; }

/* ---- Tensors: all of them lie over the same memory ---- */
static _Alignas(4096) char memory[1 << 16];
static inline void end_managed(DLManagedTensor* self) { free(self); }
static inline void end_versioned(DLManagedTensorVersioned* self) { free(self); }
static inline DLManagedTensor* managed(const DLTensor* tensor, int ends) {
  DLManagedTensor* made = calloc(1, sizeof(*made));
  made->dl_tensor = *tensor;
  made->deleter = ends ? end_managed : NULL;
  return made;
}
static inline DLManagedTensorVersioned* managed_versioned(const DLTensor* tensor, int ends, unsigned major, unsigned minor,
                                                          uint64_t flags) {
  DLManagedTensorVersioned* made = calloc(1, sizeof(*made));
  made->version = (DLPackVersion){major, minor};
  made->flags = flags;
  made->dl_tensor = *tensor;
  made->deleter = ends ? end_versioned : NULL;
  return made;
}

/* ---- What values look like ---- */
static void show_text(const char* quote, const char* text, size_t size) {
  printf("%s", quote);
  for (size_t i = 0; i < size; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c == '"' || c == '\\') printf("\\%c", c);
    else if (c == '\n') printf("\\n");
    else if (c >= ' ' && c < 0x7f) putchar(c);
    else printf("\\x%02x", c);
  }
  putchar('"');
}
static void show_bytes(const char* quote, const TVMFFIByteArray* text) { show_text(quote, text->data, text->size); }
static void show_number(double value) {
  char text[40];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof(text), "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  printf(strpbrk(text, ".en") ? "%s" : "%s.0", text);
}
static void show_tensor(const DLTensor* tensor) {
  printf("tensor(code %d, %d bits, %d lanes, [", tensor->dtype.code, tensor->dtype.bits, tensor->dtype.lanes);
  for (int i = 0; i < tensor->ndim && tensor->shape; i++) printf(i ? ", %" PRId64 : "%" PRId64, tensor->shape[i]);
  printf("], device %d:%d)", tensor->device.device_type, tensor->device.device_id);
}
static void show(const TVMFFIAny* value, int depth);
static void show_items(const TVMFFIAny* items, int64_t count, int64_t step, int depth) {
  for (int64_t i = 0; i < count && i < 16; i++) {
    if (i) printf(i % step ? ": " : ", ");
    show(items + i, depth);
  }
  if (count > 16) printf(", ...");
}
/* What follows the header of a Map or a Dict. */
typedef struct {
  char* data;
  uint64_t size, slots;
  void (*deleter)(void*);
  uint32_t shift, unused;
  uint64_t head, tail;
} MapCell;
static void show_map(const MapCell* map, int depth) {
  uint64_t slot = map->head;
  if (map->slots >> 63) {
    show_items((const TVMFFIAny*)map->data, (int64_t)map->size * 2, 2, depth);
    return;
  }
  for (uint64_t i = 0; i < map->size && i < 16 && slot != UINT64_MAX; i++) {
    /* Blocks of sixteen slots, with a byte for each before them. */
    const char* item = map->data + slot / 16 * (16 + 16 * 48) + 16 + slot % 16 * 48;
    printf(i ? ", " : "");
    show_items((const TVMFFIAny*)item, 2, 2, depth);
    slot = *(const uint64_t*)(item + 40);
  }
}
static void show_object(const TVMFFIObject* object, int depth) {
  const void* cell = object + 1;
  const TVMFFISeqCell* items = cell;
  const TVMFFIErrorCell* error = cell;
  if (depth == 0) {
    printf("...");
    return;
  }
  switch (object->type_index) {
    case kTVMFFIStr: show_bytes("\"", cell); break;
    case kTVMFFIBytes: show_bytes("b\"", cell); break;
    case kTVMFFIError:
      printf("%.*s(", (int)error->kind.size, error->kind.data);
      show_bytes("\"", &error->message);
      putchar(')');
      break;
    case kTVMFFIShape:
      printf("Shape(");
      for (size_t i = 0; i < ((const TVMFFIShapeCell*)cell)->size && i < 16; i++)
        printf(i ? ", %" PRId64 : "%" PRId64, ((const TVMFFIShapeCell*)cell)->data[i]);
      putchar(')');
      break;
    case kTVMFFITensor: show_tensor(cell); break;
    case kTVMFFIArray:
    case kTVMFFIList:
      printf(object->type_index == kTVMFFIArray ? "[" : "List([");
      show_items(items->data, items->size, 1, depth - 1);
      printf(object->type_index == kTVMFFIArray ? "]" : "])");
      break;
    case kTVMFFIMap:
    case kTVMFFIDict:
      printf(object->type_index == kTVMFFIMap ? "{" : "Dict({");
      show_map(cell, depth - 1);
      printf(object->type_index == kTVMFFIMap ? "}" : "})");
      break;
    default: {
      const TVMFFITypeInfo* info = TVMFFIGetTypeInfo(object->type_index);
      if (info) printf("%.*s", (int)info->type_key.size, info->type_key.data);
      else printf("an object of type %d", object->type_index);
    }
  }
}
static void show(const TVMFFIAny* value, int depth) {
  int32_t type = value->type_index;
  int is_small = type == kTVMFFISmallStr || type == kTVMFFISmallBytes;
  if (is_small && value->small_str_len <= 8) {
    show_text(type == kTVMFFISmallStr ? "\"" : "b\"", (const char*)&value->v_uint64, value->small_str_len);
  } else if (type >= kTVMFFIStaticObjectBegin && value->v_obj) {
    show_object(value->v_obj, depth);
  } else {
    switch (type) {
      case kTVMFFINone: printf("None"); break;
      case kTVMFFIBool: printf(value->v_int64 ? "True" : "False"); break;
      case kTVMFFIInt: printf("%" PRId64, value->v_int64); break;
      case kTVMFFIFloat: show_number(value->v_float64); break;
      case kTVMFFIRawStr: show_text("\"", value->v_c_str, strlen(value->v_c_str)); break;
      case kTVMFFIDevice: printf("device %d:%d", value->v_device.device_type, value->v_device.device_id); break;
      case kTVMFFIDataType:
        printf("code %d, %d bits, %d lanes", value->v_dtype.code, value->v_dtype.bits, value->v_dtype.lanes);
        break;
      default: printf("type %d, 0x%" PRIx64, type, value->v_uint64);
    }
  }
  if (value->zero_padding && !is_small) printf(" (padding 0x%" PRIx32 ")", value->zero_padding);
}

/* ---- What calls come to ---- */
static inline int begins(int number, const char* name, int status) {
  printf(status ? "%d: %s failed (%d)\n" : "%d: %s: ", number, name, status);
  return status == 0;
}
static inline void ends(void) {
  putchar('\n');
  fflush(stdout);
}
static inline void say(int number, const char* name, int status, const TVMFFIAny* value) {
  if (begins(number, name, status)) show(value, 5), printf("  (type %d)", value->type_index), ends();
}
static inline void say_object(int number, const char* name, int status, void* handle) {
  if (!begins(number, name, status)) return;
  printf(*(void**)handle ? "done" : "NULL"), ends();
}
static inline void say_number(int number, const char* name, int status, const int32_t* value) {
  if (begins(number, name, status)) printf("%d", *value), ends();
}
static inline void say_dtype(int number, const char* name, int status, const DLDataType* type) {
  if (begins(number, name, status)) printf("code %d, %d bits, %d lanes", type->code, type->bits, type->lanes), ends();
}
static inline void say_pointer(int number, const char* name, int status, const void* p) {
  if (begins(number, name, status)) printf(p ? "a pointer" : "NULL"), ends();
}
static inline void say_bytes(int number, const char* name, int status, const TVMFFIByteArray* text) {
  if (begins(number, name, status)) show_bytes("b\"", text), ends();
}
static inline void say_status(int number, const char* name, int status, const void* nothing) {
  (void)nothing;
  printf("%d: %s returned %d\n", number, name, status);
  fflush(stdout);
}
/* Takes the raised error. */
static inline TVMFFIObjectHandle raised(void) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  printf("   raised ");
  if (error) show_object(error, 5);
  else printf("nothing");
  ends();
  return error;
}

/* ---- What lies in memory ---- */
static inline void look_any(const char* what, const void* place, size_t size) {
  (void)size, printf("   %s: ", what), show(place, 5), ends();
}
static inline void look_array(const char* what, const void* place, size_t size) {
  (void)size, printf("   %s: ", what), show_bytes("b\"", place), ends();
}
static inline void look_text(const char* what, const void* place, size_t size) {
  printf("   %s: ", what), show_text("b\"", place, size), ends();
}
static inline void look_header(const char* what, const void* place, size_t size) {
  const TVMFFIObject* object = place;
  uint64_t counts = object->combined_ref_count;
  (void)size;
  printf("   %s: type %d, %" PRIu32 " strong, %" PRIu32 " weak", what, object->type_index, (uint32_t)counts,
         (uint32_t)(counts >> 32));
  ends();
}
static inline void look(const char* what, const void* place, size_t size) {
  printf("   %s:", what);
  for (size_t i = 0; i + 4 <= size; i += size % 8 ? 4 : 8) {
    uint64_t word = size % 8 ? 0 : *(const uint64_t*)PLUS(place, i);
    if (size % 8) printf(" %" PRId32, *(const int32_t*)PLUS(place, i));
    /* Where things lie differs from run to run. */
    else if (word >> 40 && !(word >> 47)) printf(" (address)");
    else printf(" 0x%" PRIx64, word);
  }
  ends();
}

/* ---- Functions of the suite's own: each does what it did ---- */
static inline void is_called(int number, const void* self, const TVMFFIAny* args, int32_t count) {
  printf("   function %d is called %s a self: ", number, self ? "with" : "without"), show_items(args, count, 1, 5);
  printf("  (%d arguments)", count), ends();
}
