#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tvm/ffi/c_api.h>

/* Calls a global function; ends the program if there is none of that name, or it fails. */
static TVMFFIAny call(const char* name, const TVMFFIAny* args, int32_t count) {
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  TVMFFIAny result = {0};
  if (TVMFFIFunctionGetGlobal(&text, &function) != 0 || function == NULL) exit(2);
  if (TVMFFIFunctionCall(function, (TVMFFIAny*)args, count, &result) != 0) exit(3);
  TVMFFIObjectDecRef(function);
  return result;
}

/* A variable, or what defines the variable in its field. They live as long as the program. */
typedef struct Node {
  TVMFFIObject header;
  TVMFFIAny field;
} Node;

static TVMFFIAny node(int32_t type_index, TVMFFIAny field) {
  Node* made = calloc(1, sizeof *made);
  if (made == NULL) exit(3);
  made->header = (TVMFFIObject){.combined_ref_count = ((uint64_t)1 << 32) + 1, .type_index = type_index};
  made->field = field;
  return (TVMFFIAny){.type_index = type_index, .v_obj = &made->header};
}

static int get_field(void* field, TVMFFIAny* result) {
  *result = *(TVMFFIAny*)field;
  if (result->type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectIncRef(result->v_obj);
  return 0;
}

/* Registers a type of nodes. */
static int32_t type_of(const char* key, TVMFFISEqHashKind kind, int64_t flags) {
  TVMFFIByteArray name = {key, strlen(key)};
  int32_t type_index = TVMFFITypeGetOrAllocIndex(&name, -1, 1, 0, 1, kTVMFFIObject);
  TVMFFIFieldInfo field = {.name = {"field", 5},
                           .flags = flags,
                           .size = sizeof(TVMFFIAny),
                           .alignment = 8,
                           .offset = offsetof(Node, field),
                           .getter = get_field,
                           .field_static_type_index = -1};
  TVMFFITypeMetadata metadata = {.total_size = sizeof(Node), .structural_eq_hash_kind = kind};
  if (TVMFFITypeRegisterField(type_index, &field) != 0) exit(3);
  if (TVMFFITypeRegisterMetadata(type_index, &metadata) != 0) exit(3);
  return type_index;
}

static int32_t variables, definitions;

/* A Map with a variable of its own, which the value of one key defines and that of the other uses. */
static TVMFFIAny map_of(int64_t defining, int64_t using, int definition_first) {
  TVMFFIAny variable = node(variables, (TVMFFIAny){0}), definition = node(definitions, variable);
  TVMFFIAny one[2] = {{.type_index = kTVMFFIInt, .v_int64 = defining}, definition};
  TVMFFIAny other[2] = {{.type_index = kTVMFFIInt, .v_int64 = using}, variable};
  if (definition_first) return call("ffi.Map", (TVMFFIAny[]){one[0], one[1], other[0], other[1]}, 4);
  return call("ffi.Map", (TVMFFIAny[]){other[0], other[1], one[0], one[1]}, 4);
}

static int equal(TVMFFIAny lhs, TVMFFIAny rhs) {
  return call("ffi.StructuralEqual", (TVMFFIAny[]){lhs, rhs, {.type_index = kTVMFFIBool}, {.type_index = kTVMFFIBool}}, 4)
             .v_int64 != 0;
}

static int64_t hash(TVMFFIAny value) {
  return call("ffi.StructuralHash", (TVMFFIAny[]){value, {.type_index = kTVMFFIBool}, {.type_index = kTVMFFIBool}}, 3)
      .v_int64;
}

int main(void) {
  variables = type_of("upstream.Variable", kTVMFFISEqHashKindFreeVar, 0);
  definitions = type_of("upstream.Definition", kTVMFFISEqHashKindTreeNode, kTVMFFIFieldFlagBitMaskSEqHashDefPattern);
  TVMFFIAny first = map_of(0, 1, 1), last = map_of(0, 1, 0);
  int there = equal(first, last), back = equal(last, first), unlike = 0;
  printf("the Map whose definition comes first %s the other one, and the other one %s it\n", there ? "equals" : "differs from",
         back ? "equals" : "differs from");
  /* Maps are hashed in the order of their keys' hashes: in one of two ways the use comes first. */
  for (int64_t key = 0; key < 2; key++) {
    TVMFFIAny map = map_of(key, 1 - key, 1), same = map_of(key, 1 - key, 1);
    unlike += equal(map, same) && hash(map) != hash(same);
  }
  printf("of two pairs of equal Maps, %d have two hashes\n", unlike);
  return there != back || unlike != 0;
}
