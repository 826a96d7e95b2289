/* Types of a client: registered, described and found. */
#include "caller.h"

static int32_t register_type(struct caller* t, const char* name) {
  TVMFFIByteArray key = text_of(name);
  int32_t index = -1;
  CALL(t, index = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject));
  return index;
}

/** A registered type is found by its key and has its index, depth and parent in the type table. */
CALLER(type_registration) {
  TVMFFIByteArray key = text_of("c_fixture.Type"), unknown = text_of("c_fixture.NoType");
  const TVMFFITypeInfo* info = NULL;
  int32_t index = register_type(t, "c_fixture.Type"), found = -1;
  CLAUSE(t, "TYP-0017");
  CHECK_EQ_INT(t, "whether the index is one of those given out at run time", index >= kTVMFFIDynObjectBegin, 1);
  CLAUSE(t, "TYP-0018");
  CHECK_EQ_INT(t, "index when it is registered again", register_type(t, "c_fixture.Type"), index);
  CLAUSE(t, "TYP-0009");
  CHECK_OK(t, TVMFFITypeKeyToIndex(&key, &found));
  CHECK_EQ_INT(t, "index of the key", found, index);
  CLAUSE(t, "TYP-0011");
  CALL(t, info = TVMFFIGetTypeInfo(index));
  CHECK_NOT_NULL(t, "what is known of the type", info);
  CHECK_EQ_INT(t, "index", info->type_index, index);
  CHECK_EQ_TEXT(t, "key", info->type_key, "c_fixture.Type");
  CLAUSE(t, "TYP-0022");
  CHECK_EQ_INT(t, "depth", info->type_depth, 1);
  CHECK_EQ_TEXT(t, "key of the parent", info->type_ancestors[0]->type_key, "ffi.Object");
  CLAUSE(t, "TYP-0008");
  CHECK_FAILS(t, TVMFFITypeKeyToIndex(&unknown, &found), NULL);
  return 0;
}

/* ---- A type with a field, a method and a way to make instances --------------------------------------------------- */

struct point {
  TVMFFIObject header;
  int64_t x;
};

static int32_t point_index;

static void end_point(void* self, int flags) {
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(self);
}

static int new_point(TVMFFIObjectHandle* result) {
  struct point* point = (struct point*)calloc(1, sizeof(struct point));
  if (!point) return -1;
  point->header.combined_ref_count = ((uint64_t)1 << 32) | 1;
  point->header.type_index = point_index;
  point->header.deleter = end_point;
  *result = point;
  return 0;
}

static int get_int64(void* field, TVMFFIAny* result) {
  *result = any_int(*(int64_t*)field);
  return 0;
}

static int set_int64(void* field, const TVMFFIAny* value) {
  if (value->type_index != kTVMFFIInt) {
    TVMFFIErrorSetRaisedFromCStr("TypeError", "the field takes an integer");
    return -1;
  }
  *(int64_t*)field = value->v_int64;
  return 0;
}

static int x_of(void* handle, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  (void)handle;
  (void)num_args;
  *result = any_int(((struct point*)args[0].v_obj)->x);
  return 0;
}

/**
 * A registered field has its description, and its getter reads what its setter has written.
 *
 * A frontend makes an instance, sets the field by its setter and reads it by its getter.
 */
CALLER(field) {
  TVMFFIFieldInfo field;
  const TVMFFITypeInfo* info = NULL;
  TVMFFIObjectHandle object = NULL;
  TVMFFIAny value = any_int(-42), got = any_none();
  TVMFFIFieldSetter setter = set_int64;
  point_index = register_type(t, "c_fixture.PointWithField");
  memset(&field, 0, sizeof(field));
  field.name = text_of("x");
  field.doc = text_of("the first coordinate");
  field.flags = kTVMFFIFieldFlagBitMaskWritable | kTVMFFIFieldFlagBitMaskHasDefault;
  field.size = sizeof(int64_t);
  field.alignment = sizeof(int64_t);
  field.offset = offsetof(struct point, x);
  field.getter = get_int64;
  memcpy(&field.setter, &setter, sizeof(setter));
  field.default_value_or_factory = any_int(1);
  field.field_static_type_index = kTVMFFIInt;
  CLAUSE(t, "RFL-0001");
  CHECK_OK(t, TVMFFITypeRegisterField(point_index, &field));
  memset(&field, 0xA5, sizeof(field));
  CALL(t, info = TVMFFIGetTypeInfo(point_index));
  CHECK_EQ_INT(t, "number of fields", info->num_fields, 1);
  CHECK_EQ_INT(t, "size", info->fields[0].size, sizeof(int64_t));
  CHECK_EQ_INT(t, "offset", info->fields[0].offset, offsetof(struct point, x));
  CLAUSE(t, "RFL-0002");
  CHECK_EQ_TEXT(t, "name", info->fields[0].name, "x");
  CHECK_EQ_TEXT(t, "documentation", info->fields[0].doc, "the first coordinate");
  CLAUSE(t, "RFL-0004");
  CHECK_EQ_INT(t, "type index of the default", info->fields[0].default_value_or_factory.type_index, kTVMFFIInt);
  CHECK_EQ_INT(t, "default", info->fields[0].default_value_or_factory.v_int64, 1);
  CLAUSE(t, "RFL-0036");
  CHECK_OK(t, new_point(&object));
  memcpy(&setter, &info->fields[0].setter, sizeof(setter));
  CHECK_OK(t, setter((char*)object + info->fields[0].offset, &value));
  CHECK_OK(t, info->fields[0].getter((char*)object + info->fields[0].offset, &got));
  CHECK_EQ_INT(t, "what the getter reads after the setter has written", got.v_int64, -42);
  CHECK_OK(t, TVMFFIObjectDecRef(object));
  return 0;
}

/** A registered method has its name and is called as a function. */
CALLER(method) {
  TVMFFIMethodInfo method;
  const TVMFFITypeInfo* info = NULL;
  TVMFFIObjectHandle function = NULL, object = NULL;
  TVMFFIAny arg, result = any_none();
  point_index = register_type(t, "c_fixture.PointWithMethod");
  CHECK_OK(t, TVMFFIFunctionCreate(NULL, x_of, NULL, &function));
  memset(&method, 0, sizeof(method));
  method.name = text_of("get_x");
  method.method = any_object(function);
  CLAUSE(t, "RFL-0014");
  CHECK_OK(t, TVMFFITypeRegisterMethod(point_index, &method));
  CHECK_OK(t, TVMFFIObjectDecRef(function));
  CALL(t, info = TVMFFIGetTypeInfo(point_index));
  CHECK_EQ_INT(t, "number of methods", info->num_methods, 1);
  CHECK_EQ_TEXT(t, "name", info->methods[0].name, "get_x");
  CLAUSE(t, "RFL-0015");
  CHECK_OK(t, new_point(&object));
  ((struct point*)object)->x = 17;
  arg = any_object(object);
  CHECK_OK(t, TVMFFIFunctionCall(info->methods[0].method.v_obj, &arg, 1, &result));
  CHECK_EQ_INT(t, "result of the method", result.v_int64, 17);
  CHECK_OK(t, TVMFFIObjectDecRef(object));
  return 0;
}

/** A type with metadata has its documentation and size, and makes instances by its creator. */
CALLER(type_metadata) {
  TVMFFITypeMetadata metadata;
  const TVMFFITypeInfo* info = NULL;
  TVMFFIObjectHandle object = NULL;
  point_index = register_type(t, "c_fixture.PointWithMetadata");
  memset(&metadata, 0, sizeof(metadata));
  metadata.doc = text_of("a point on a line");
  metadata.creator = new_point;
  metadata.total_size = sizeof(struct point);
  metadata.structural_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  CLAUSE(t, "RFL-0017");
  CHECK_OK(t, TVMFFITypeRegisterMetadata(point_index, &metadata));
  memset(&metadata, 0xA5, sizeof(metadata));
  CALL(t, info = TVMFFIGetTypeInfo(point_index));
  CHECK_NOT_NULL(t, "the metadata", info->metadata);
  CHECK_EQ_TEXT(t, "documentation", info->metadata->doc, "a point on a line");
  CHECK_EQ_INT(t, "size of an instance", info->metadata->total_size, sizeof(struct point));
  CHECK_EQ_INT(t, "kind of comparison", info->metadata->structural_eq_hash_kind, kTVMFFISEqHashKindTreeNode);
  CLAUSE(t, "RFL-0036");
  CHECK_OK(t, info->metadata->creator(&object));
  CHECK_EQ_INT(t, "type index of an instance", TYPE_INDEX_OF(object), point_index);
  CHECK_OK(t, TVMFFIObjectDecRef(object));
  return 0;
}

/** An attribute of a type is found in the attribute's column, at the type's index. */
CALLER(type_attribute) {
  TVMFFIByteArray name = text_of("__c_fixture_attribute__"), unknown = text_of("__c_fixture_no_attribute__");
  TVMFFIAny value = any_int(99);
  const TVMFFITypeAttrColumn *column = NULL, *none = NULL;
  int32_t index = register_type(t, "c_fixture.TypeWithAttribute");
  CLAUSE(t, "RFL-0021");
  CHECK_OK(t, TVMFFITypeRegisterAttr(index, &name, &value));
  CALL(t, column = TVMFFIGetTypeAttrColumn(&name));
  CHECK_NOT_NULL(t, "the column", column);
  CLAUSE(t, "RFL-0023");
  CHECK_EQ_INT(t, "whether the column reaches the type", column->begin_index + column->size > index, 1);
  CLAUSE(t, "RFL-0021");
  CHECK_EQ_INT(t, "the type's entry", column->data[index - column->begin_index].v_int64, 99);
  CLAUSE(t, "RFL-0020");
  CALL(t, none = TVMFFIGetTypeAttrColumn(&unknown));
  CHECK_EQ_PTR(t, "the column of an attribute that no type has", none, NULL);
  return 0;
}
