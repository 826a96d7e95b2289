/* An allocator that asks the library about types and functions while it is asked for memory, also where the library makes
 * what every process finds registered. Exits with 0 unless the two wait for each other. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>
#include <unistd.h>

#define CHECK(condition)                                 \
  do {                                                   \
    if (!(condition)) {                                  \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                           \
    }                                                    \
  } while (0)

static int made, alive;

static TVMFFIByteArray text(const char* content) { return (TVMFFIByteArray){content, strlen(content)}; }

static void give_back(void* body) {
  alive--;
  free((char*)body - sizeof(TVMFFIObjectAllocHeader));
}

static void* allocate(size_t size, size_t alignment, int32_t type_index, void* context) {
  (void)alignment, (void)context;
  TVMFFIByteArray function_name = text("ffi.Array"), type_key = text("ffi.Array");
  TVMFFIObjectHandle function = NULL;
  int32_t index = 0;
  CHECK(TVMFFIGetTypeInfo(type_index)->type_index == type_index);
  CHECK(TVMFFIFunctionGetGlobal(&function_name, &function) == 0 && function != NULL);
  TVMFFIObjectDecRef(function);
  CHECK(TVMFFITypeKeyToIndex(&type_key, &index) == 0 && index == kTVMFFIArray);
  TVMFFIObjectAllocHeader* header = malloc(sizeof *header + size);
  header->delete_space = give_back;
  made++, alive++;
  return header + 1;
}

static int get(void* field, TVMFFIAny* result) {
  (void)field;
  *result = (TVMFFIAny){0};
  return 0;
}

int main(void) {
  static TVMFFICustomAllocator allocator = {.allocate = allocate};
  alarm(20);
  CHECK(TVMFFISetCustomAllocator(&allocator) == 0);

  TVMFFIByteArray content = text("a text that is too long to lie in a value"), key = text("test.allocator");
  TVMFFIAny string;
  CHECK(TVMFFIStringFromByteArray(&content, &string) == 0 && made == 1);

  /* A default and a function that become objects on the way. */
  int32_t type = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  TVMFFIFieldInfo field = {.name = text("field"),
                           .flags = kTVMFFIFieldFlagBitMaskHasDefault,
                           .size = 16,
                           .alignment = 8,
                           .offset = 24,
                           .getter = get,
                           .default_value_or_factory = {.type_index = kTVMFFIRawStr, .v_c_str = content.data}};
  CHECK(TVMFFITypeRegisterField(type, &field) == 0 && made == 2);
  TVMFFIMethodInfo method = {.name = text("method"), .method = {.type_index = kTVMFFIRawStr, .v_c_str = content.data}};
  CHECK(TVMFFITypeRegisterMethod(type, &method) == 0 && made == 3);

  TVMFFIObjectDecRef(string.v_obj);
  CHECK(alive == 2);
  CHECK(TVMFFISetCustomAllocator(NULL) == 0);
  return 0;
}
