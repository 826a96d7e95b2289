/* Containers as compiled code walks, makes and changes them: without a call. */
#include "caller.h"

/* ---- Layouts ----------------------------------------------------------------------------------------------------- */

/* C++ has an accessor for it, but not for const objects; bytes are counted in both languages. */
static TVMFFISeqCell* seq_cell(TVMFFIObjectHandle object) {
  return (TVMFFISeqCell*)(void*)((char*)object + sizeof(TVMFFIObject));
}

static TVMFFIAny* items_of(TVMFFIObjectHandle sequence) { return (TVMFFIAny*)seq_cell(sequence)->data; }

struct map_entry {
  TVMFFIAny key;
  TVMFFIAny value;
};

struct map_cell {
  void* data;
  uint64_t size;
  uint64_t slots;
  void (*data_deleter)(void*);
  /* Only in the dense layout: */
  uint32_t fib_shift;
  uint32_t unused;
  uint64_t first;
  uint64_t last;
};

struct map_item {
  struct map_entry entry;
  uint64_t prev;
  uint64_t next;
};

#define SMALL_LAYOUT ((uint64_t)1 << 63)
#define NO_SLOT UINT64_MAX
#define BLOCK_SIZE (16 + 16 * sizeof(struct map_item))

static struct map_cell* map_cell(TVMFFIObjectHandle map) {
  return (struct map_cell*)(void*)((char*)map + sizeof(TVMFFIObject));
}

static char* block_of(const struct map_cell* cell, uint64_t slot) {
  return (char*)cell->data + (size_t)(slot / 16) * BLOCK_SIZE;
}

static uint8_t* metadata_of(const struct map_cell* cell, uint64_t slot) {
  return (uint8_t*)block_of(cell, slot) + slot % 16;
}

static struct map_item* item_of(const struct map_cell* cell, uint64_t slot) {
  return (struct map_item*)(void*)(block_of(cell, slot) + 16) + slot % 16;
}

/* ---- Hashes ------------------------------------------------------------------------------------------------------ */

static uint64_t combine(uint64_t key, uint64_t value) {
  return key ^ (value + 0x9e3779b9u + (key << 6) + (key >> 2));
}

static uint64_t hash_of_text(const char* text, size_t size) {
  uint64_t hash = 0;
  while (size > 0) {
    uint64_t word = 0;
    size_t part = size < 8 ? size : 8;
    memcpy(&word, text, part);
    hash = (hash * 1099511628211u + word) % 2147483647u;
    text += part;
    size -= part;
  }
  return combine(kTVMFFIStr, hash);
}

static uint64_t hash_of_int(int64_t value) { return combine(kTVMFFIInt, (uint64_t)value); }

static uint64_t home_of(uint64_t hash, uint32_t fib_shift) { return (hash * 11400714819323198485u) >> fib_shift; }

static int is_text(const TVMFFIAny* any, const char* text) {
  TVMFFIByteArray content = content_of(any);
  return content.size == strlen(text) && memcmp(content.data, text, content.size) == 0;
}

/** The slot of a key in a dense map whose chains need no jump of more than 15 slots; NO_SLOT if it is not there. */
static uint64_t find_slot(const struct map_cell* cell, uint64_t hash, int64_t number, const char* text) {
  uint64_t slot = home_of(hash, cell->fib_shift);
  int steps;
  if (*metadata_of(cell, slot) & 0x80) return NO_SLOT;
  for (steps = 0; steps < 1000; ++steps) {
    const TVMFFIAny* key = &item_of(cell, slot)->entry.key;
    uint8_t code = *metadata_of(cell, slot) & 0x7f;
    if (text ? is_text(key, text) : key->type_index == kTVMFFIInt && key->v_int64 == number) return slot;
    if (code == 0 || code > 15) return NO_SLOT;
    slot = (slot + code) % cell->slots;
  }
  return NO_SLOT;
}

/* ---- Calls and objects ------------------------------------------------------------------------------------------- */

static int call_named(const char* name, TVMFFIAny* args, int32_t num_args, TVMFFIAny* result) {
  TVMFFIByteArray key = text_of(name);
  TVMFFIObjectHandle function = NULL;
  int code = TVMFFIFunctionGetGlobal(&key, &function);
  *result = any_none();
  if (code != 0) return code;
  if (!function) {
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the global function is not registered");
    return -1;
  }
  code = TVMFFIFunctionCall(function, args, num_args, result);
  TVMFFIObjectDecRef(function);
  return code;
}

/** A container made here, with cells behind it. */
struct sequence {
  TVMFFIObject header;
  TVMFFISeqCell cell;
  TVMFFIAny items[8];
};

static int sequences_ended;
static int buffers_ended;

static void end_sequence(void* self, int flags) {
  struct sequence* sequence = (struct sequence*)self;
  int64_t i;
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    for (i = 0; i < sequence->cell.size; ++i) release(&((TVMFFIAny*)sequence->cell.data)[i]);
    if (sequence->cell.data_deleter) sequence->cell.data_deleter(sequence->cell.data);
    sequences_ended += 1;
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) free(sequence);
}

static void end_buffer(void* buffer) {
  buffers_ended += buffer != NULL;
  free(buffer);
}

static struct sequence* new_sequence(int32_t type_index) {
  struct sequence* sequence = (struct sequence*)calloc(1, sizeof(struct sequence));
  sequence->header.combined_ref_count = ((uint64_t)1 << 32) | 1;
  sequence->header.type_index = type_index;
  sequence->header.deleter = end_sequence;
  sequence->cell.data = sequence->items;
  sequence->cell.capacity = 8;
  sequences_ended = 0;
  buffers_ended = 0;
  return sequence;
}

/* ---- Arrays ------------------------------------------------------------------------------------------------------ */

/** A client reads the elements of an Array in place, behind the cell. */
CALLER(array_walk) {
  TVMFFIAny args[4], array;
  int64_t i, sum = 0;
  for (i = 0; i < 4; ++i) args[i] = any_int(i + 1);
  CLAUSE(t, "ARR-0001");
  CHECK_OK(t, call_named("ffi.Array", args, 4, &array));
  CHECK_EQ_INT(t, "type index of the Array", array.type_index, kTVMFFIArray);
  CLAUSE(t, "ARR-0004");
  CHECK_EQ_INT(t, "size", seq_cell(array.v_obj)->size, 4);
  for (i = 0; i < 4; ++i) sum = sum * 10 + items_of(array.v_obj)[i].v_int64;
  CHECK_EQ_INT(t, "elements as digits", sum, 1234);
  CLAUSE(t, "ARR-0005");
  if (seq_cell(array.v_obj)->data_deleter == NULL) {
    const char* behind = (const char*)array.v_obj + sizeof(TVMFFIObject) + sizeof(TVMFFISeqCell);
    CHECK_EQ_INT(t, "whether the elements lie behind the fields", (const char*)items_of(array.v_obj) >= behind, 1);
  }
  release(&array);
  return 0;
}

/** An Array made by a client, and appended to in place, is read by the library and ended once. */
CALLER(array_made_here) {
  struct sequence* array = new_sequence(kTVMFFIArray);
  TVMFFIAny args[2], result;
  array->items[0] = any_int(10);
  array->cell.size = 1;
  args[0] = any_object(array);
  CLAUSE(t, "ARR-0019");
  CHECK_OK(t, call_named("ffi.ArraySize", args, 1, &result));
  CHECK_EQ_INT(t, "ffi.ArraySize", result.v_int64, 1);
  /* What `push_back` does when nobody else holds the Array. */
  CLAUSE(t, "ARR-0018");
  CHECK_EQ_INT(t, "whether nobody else holds it", counts_of(array) == (((uint64_t)1 << 32) | 1), 1);
  array->items[array->cell.size++] = any_int(11);
  args[1] = any_int(1);
  CHECK_OK(t, call_named("ffi.ArrayGetItem", args, 2, &result));
  CHECK_EQ_INT(t, "the element that was appended", result.v_int64, 11);
  CLAUSE(t, "ARR-0019");
  CHECK_EQ_INT(t, "ends while it is held", sequences_ended, 0);
  CHECK_OK(t, TVMFFIObjectDecRef(array));
  CHECK_EQ_INT(t, "ends", sequences_ended, 1);
  return 0;
}

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

#ifndef __cplusplus
/* `operator new`, if what is loaded brings C++ with it. */
extern void* _Znwm(size_t size) __attribute__((weak));
#endif

/** Memory that the library's deleters take: from `operator new`, as compiled C++ has it. */
static void* new_buffer(size_t size) {
#ifdef __cplusplus
  return ::operator new(size);
#else
  return _Znwm ? _Znwm(size) : malloc(size);
#endif
}

/** What `push_back` does: the deleter of the List ends the old buffer, and stays. */
static void push_back(TVMFFIObjectHandle list, TVMFFIAny value) {
  TVMFFISeqCell* cell = seq_cell(list);
  if (cell->size == cell->capacity) {
    int64_t capacity = cell->capacity ? 2 * cell->capacity : 1;
    void* buffer = new_buffer((size_t)capacity * sizeof(TVMFFIAny));
    if (cell->size) memcpy(buffer, cell->data, (size_t)cell->size * sizeof(TVMFFIAny));
    cell->data_deleter(cell->data);
    cell->data = buffer;
    cell->capacity = capacity;
  }
  ((TVMFFIAny*)cell->data)[cell->size++] = value;
}

/** A List to which the client and the library append in turn holds every element in order. */
CALLER(list_grows_here) {
  TVMFFIAny args[2], list, result;
  int64_t i;
  CLAUSE(t, "LST-0028");
  CLAUSE(t, "LST-0003");
  CHECK_OK(t, call_named("ffi.List", NULL, 0, &list));
  CHECK_EQ_INT(t, "size of an empty List", seq_cell(list.v_obj)->size, 0);
  CLAUSE(t, "LST-0004");
  CHECK_EQ_INT(t, "whether it has a deleter", seq_cell(list.v_obj)->data_deleter != NULL, 1);
  CLAUSE(t, "LST-0028");
  args[0] = list;
  for (i = 0; i < 50; ++i) {
    CALL(t, push_back(list.v_obj, any_int(2 * i)));
    args[1] = any_int(2 * i + 1);
    CHECK_OK(t, call_named("ffi.ListAppend", args, 2, &result));
  }
  CHECK_OK(t, call_named("ffi.ListSize", args, 1, &result));
  CHECK_EQ_INT(t, "ffi.ListSize", result.v_int64, 100);
  for (i = 0; i < 100; ++i) CHECK_EQ_INT(t, "an element", items_of(list.v_obj)[i].v_int64, i);
  release(&list);
  return 0;
}

/** A List made by a client grows in the library, which ends the outgrown buffer by its own deleter. */
CALLER(list_made_here) {
  struct sequence* list = new_sequence(kTVMFFIList);
  TVMFFIAny args[2], result;
  int64_t i;
  list->cell.data = malloc(2 * sizeof(TVMFFIAny));
  list->cell.capacity = 2;
  list->cell.data_deleter = end_buffer;
  CLAUSE(t, "LST-0029");
  args[0] = any_object(list);
  for (i = 0; i < 2; ++i) {
    args[1] = any_int(i);
    CHECK_OK(t, call_named("ffi.ListAppend", args, 2, &result));
  }
  CHECK_EQ_INT(t, "size", list->cell.size, 2);
  CHECK_EQ_INT(t, "the last element", items_of(list)[1].v_int64, 1);
  CLAUSE(t, "LST-0030");
  args[1] = any_int(2);
  CHECK_OK(t, call_named("ffi.ListAppend", args, 2, &result));
  CHECK_EQ_INT(t, "ends of the buffer that it has outgrown", buffers_ended, 1);
  CHECK_EQ_INT(t, "the last element", items_of(list)[2].v_int64, 2);
  CLAUSE(t, "LST-0029");
  CHECK_OK(t, TVMFFIObjectDecRef(list));
  CHECK_EQ_INT(t, "ends of the List", sequences_ended, 1);
  return 0;
}

/* ---- Maps -------------------------------------------------------------------------------------------------------- */

/** A client reads the entries of a small Map in place and in order. */
CALLER(small_map_walk) {
  TVMFFIAny args[4], map;
  struct map_entry* entries;
  args[0] = any_ptr(kTVMFFIRawStr, "one");
  args[1] = any_int(1);
  args[2] = any_ptr(kTVMFFIRawStr, "a text that is not short");
  args[3] = any_int(2);
  CLAUSE(t, "MAP-0015");
  CLAUSE(t, "MAP-0001");
  CHECK_OK(t, call_named("ffi.Map", args, 4, &map));
  CHECK_EQ_INT(t, "type index of the Map", map.type_index, kTVMFFIMap);
  CLAUSE(t, "MAP-0015");
  CHECK_EQ_INT(t, "size", map_cell(map.v_obj)->size, 2);
  if (map_cell(map.v_obj)->slots & SMALL_LAYOUT) {
    entries = (struct map_entry*)map_cell(map.v_obj)->data;
    CHECK_EQ_TEXT(t, "the first key", content_of(&entries[0].key), "one");
    CHECK_EQ_TEXT(t, "the second key", content_of(&entries[1].key), "a text that is not short");
    CHECK_EQ_INT(t, "the second value", entries[1].value.v_int64, 2);
  }
  release(&map);
  return 0;
}

/** A client finds the keys of a dense Map in place, by their hashes, and walks its entries in order. */
CALLER(dense_map_find) {
  static const char* const texts[] = {"a", "seven_b", "eight_by", "a text that is not short", ""};
  TVMFFIAny args[20], map;
  const struct map_cell* cell;
  uint64_t slot, before = NO_SLOT, count = 0;
  int i;
  for (i = 0; i < 5; ++i) {
    args[4 * i] = any_ptr(kTVMFFIRawStr, texts[i]);
    args[4 * i + 1] = any_int(i);
    args[4 * i + 2] = any_int(1000 * i);
    args[4 * i + 3] = any_int(-i);
  }
  CLAUSE(t, "MAP-0019");
  CLAUSE(t, "MAP-0017");
  CHECK_OK(t, call_named("ffi.Map", args, 20, &map));
  cell = map_cell(map.v_obj);
  CHECK_EQ_INT(t, "whether it is small", (cell->slots & SMALL_LAYOUT) != 0, 0);
  CHECK_EQ_INT(t, "size", cell->size, 10);
  CLAUSE(t, "MAP-0019");
  for (i = 0; i < 5; ++i) {
    slot = find_slot(cell, hash_of_text(texts[i], strlen(texts[i])), 0, texts[i]);
    CHECK_EQ_INT(t, "whether a text is found", slot != NO_SLOT, 1);
    CHECK_EQ_INT(t, "the value of a text", item_of(cell, slot)->entry.value.v_int64, i);
    slot = find_slot(cell, hash_of_int(1000 * i), 1000 * i, NULL);
    CHECK_EQ_INT(t, "whether a number is found", slot != NO_SLOT, 1);
    CHECK_EQ_INT(t, "the value of a number", item_of(cell, slot)->entry.value.v_int64, -i);
  }
  slot = find_slot(cell, hash_of_int(7), 7, NULL);
  CHECK_EQ_INT(t, "whether another number is found", slot != NO_SLOT, 0);
  CLAUSE(t, "MAP-0020");
  for (slot = cell->first; slot != NO_SLOT && count <= 10; slot = item_of(cell, slot)->next, ++count) {
    const struct map_item* item = item_of(cell, slot);
    int64_t expected = count % 2 == 0 ? (int64_t)(count / 2) : -(int64_t)(count / 2);
    CHECK_EQ_INT(t, "the slot in front of an entry", item->prev, before);
    CHECK_EQ_INT(t, "a value in iteration order", item->entry.value.v_int64, expected);
    before = slot;
  }
  CHECK_EQ_INT(t, "entries in iteration order", count, 10);
  CHECK_EQ_INT(t, "the last slot", cell->last, before);
  release(&map);
  return 0;
}

/** The iterator of a Map gives each key and value in order and tells whether another entry follows. */
CALLER(map_iterator) {
  TVMFFIAny args[6], map, next, result = any_none(), command;
  int64_t i;
  for (i = 0; i < 3; ++i) {
    args[2 * i] = any_int(10 + i);
    args[2 * i + 1] = any_int(20 + i);
  }
  CHECK_OK(t, call_named("ffi.Map", args, 6, &map));
  CLAUSE(t, "MAP-0014");
  CHECK_OK(t, call_named("ffi.MapForwardIterFunctor", &map, 1, &next));
  for (i = 0; i < 3; ++i) {
    command = any_int(0);
    CHECK_OK(t, TVMFFIFunctionCall(next.v_obj, &command, 1, &result));
    CHECK_EQ_INT(t, "key", result.v_int64, 10 + i);
    command = any_int(1);
    CHECK_OK(t, TVMFFIFunctionCall(next.v_obj, &command, 1, &result));
    CHECK_EQ_INT(t, "value", result.v_int64, 20 + i);
    command = any_int(2);
    CHECK_OK(t, TVMFFIFunctionCall(next.v_obj, &command, 1, &result));
    CHECK_EQ_INT(t, "whether there is another entry", result.v_int64, i < 2);
  }
  release(&next);
  release(&map);
  return 0;
}

/* ---- Dicts ------------------------------------------------------------------------------------------------------- */

/** Puts a number behind the last entry of a small Dict with room, in place. */
static void add_to_small(TVMFFIObjectHandle dict, int64_t key, int64_t value) {
  struct map_cell* cell = map_cell(dict);
  struct map_entry* entry = (struct map_entry*)cell->data + cell->size++;
  entry->key = any_int(key);
  entry->value = any_int(value);
}

/** Puts a number into a dense Dict in which its home is free, in place; answers whether it was. */
static int add_to_dense(TVMFFIObjectHandle dict, int64_t key, int64_t value) {
  struct map_cell* cell = map_cell(dict);
  uint64_t slot = home_of(hash_of_int(key), cell->fib_shift);
  struct map_item* item = item_of(cell, slot);
  if (*metadata_of(cell, slot) != 0xff) return 0;
  *metadata_of(cell, slot) = 0;
  item->entry.key = any_int(key);
  item->entry.value = any_int(value);
  item->prev = cell->last;
  item->next = NO_SLOT;
  if (cell->last == NO_SLOT) {
    cell->first = slot;
  } else {
    item_of(cell, cell->last)->next = slot;
  }
  cell->last = slot;
  cell->size += 1;
  return 1;
}

static int64_t value_of(struct caller* t, TVMFFIAny dict, int64_t key, int* code) {
  TVMFFIAny args[2], result;
  args[0] = dict;
  args[1] = any_int(key);
  CALL(t, *code = call_named("ffi.DictGetItem", args, 2, &result));
  return result.v_int64;
}

/** A Dict that a client fills in place, which is small with most libraries, grows in the library and keeps every entry. */
CALLER(small_dict_in_place) {
  TVMFFIAny args[3], dict, result;
  int64_t key;
  int code = 0;
  args[0] = any_int(0);
  args[1] = any_int(100);
  CHECK_OK(t, call_named("ffi.Dict", args, 2, &dict));
  CLAUSE(t, "DCT-0025");
  args[0] = dict;
  for (key = 1; key < 10; ++key) {
    const struct map_cell* cell = map_cell(dict.v_obj);
    const int is_small = (cell->slots & SMALL_LAYOUT) != 0;
    if (is_small && cell->size < (cell->slots & ~SMALL_LAYOUT)) {
      add_to_small(dict.v_obj, key, 100 + key);
      continue;
    }
    if (!is_small && key < 4 && add_to_dense(dict.v_obj, key, 100 + key)) continue;
    args[1] = any_int(key);
    args[2] = any_int(100 + key);
    CHECK_OK(t, call_named("ffi.DictSetItem", args, 3, &result));
  }
  for (key = 0; key < 10; ++key) {
    CHECK_EQ_INT(t, "value of a key", value_of(t, dict, key, &code), 100 + key);
    CHECK_EQ_INT(t, "status", code, 0);
  }
  release(&dict);
  return 0;
}

/** A Dict that a client makes dense in place grows in the library, which ends the outgrown blocks once. */
CALLER(dict_made_dense) {
  TVMFFIAny args[3], dict, result;
  struct map_cell* cell;
  int64_t key, added = 0;
  int code = 0;
  CLAUSE(t, "DCT-0024");
  CHECK_OK(t, call_named("ffi.Dict", NULL, 0, &dict));
  /* What assignment does when a small Dict is full: blocks of its own, in the same object. */
  cell = map_cell(dict.v_obj);
  buffers_ended = 0;
  if (cell->data_deleter) cell->data_deleter(cell->data);
  cell->data = malloc(BLOCK_SIZE);
  memset(cell->data, 0xff, BLOCK_SIZE);
  cell->size = 0;
  cell->slots = 16;
  cell->data_deleter = end_buffer;
  cell->fib_shift = 60;
  cell->first = NO_SLOT;
  cell->last = NO_SLOT;
  for (key = 0; key < 8; ++key) added += add_to_dense(dict.v_obj, key, 100 + key);
  CHECK_EQ_INT(t, "whether keys were added", added > 0, 1);
  CHECK_OK(t, call_named("ffi.DictSize", &dict, 1, &result));
  CHECK_EQ_INT(t, "ffi.DictSize", result.v_int64, added);
  CHECK_EQ_INT(t, "value of the first key", value_of(t, dict, 0, &code), 100);
  args[0] = dict;
  for (key = 0; key < 40; ++key) {
    args[1] = any_int(key);
    args[2] = any_int(100 + key);
    CHECK_OK(t, call_named("ffi.DictSetItem", args, 3, &result));
  }
  CHECK_EQ_INT(t, "ends of the blocks that it has outgrown", buffers_ended, 1);
  for (key = 0; key < 40; ++key) CHECK_EQ_INT(t, "value of a key", value_of(t, dict, key, &code), 100 + key);
  release(&dict);
  CHECK_EQ_INT(t, "ends of the blocks after the Dict", buffers_ended, 1);
  return 0;
}

/* ---- Shapes and hooks -------------------------------------------------------------------------------------------- */

/** A client reads the extents of a Shape in place, behind the header. */
CALLER(shape_walk) {
  TVMFFIAny args[3], shape;
  int64_t i, product = 1;
  for (i = 0; i < 3; ++i) args[i] = any_int(i + 2);
  CLAUSE(t, "CNT-0001");
  CHECK_OK(t, call_named("ffi.Shape", args, 3, &shape));
  CHECK_EQ_INT(t, "type index of the Shape", shape.type_index, kTVMFFIShape);
  CHECK_EQ_INT(t, "number of extents", SHAPE_CELL(shape.v_obj)->size, 3);
  for (i = 0; i < 3; ++i) product *= SHAPE_CELL(shape.v_obj)->data[i];
  CHECK_EQ_INT(t, "product of the extents", product, 24);
  release(&shape);
  return 0;
}

/** An object that is the same key as any other with its number. */
struct numbered {
  TVMFFIObject header;
  int64_t number;
};

static TVMFFIAny hash_number(const TVMFFIAny* value) {
  return any_int(((const struct numbered*)(const void*)value->v_obj)->number);
}

static TVMFFIAny equal_number(const TVMFFIAny* lhs, const TVMFFIAny* rhs) {
  const struct numbered* one = (const struct numbered*)(const void*)lhs->v_obj;
  const struct numbered* other = (const struct numbered*)(const void*)rhs->v_obj;
  return any_of(kTVMFFIBool, one->number == other->number);
}

/** A Map finds keys of a client's type by the hash and equality hooks of that type. */
CALLER(native_hook) {
  TVMFFIByteArray key = text_of("c_fixture.Numbered"), hash = text_of("__any_hash__"), equal = text_of("__any_equal__");
  TVMFFIAny args[20], hooks[2], map, result;
  struct numbered kept[10], asked;
  int32_t index, i;
  memset(kept, 0, sizeof(kept));
  memset(&asked, 0, sizeof(asked));
  hooks[0] = any_of(kTVMFFIOpaquePtr, (int64_t)(intptr_t)hash_number);
  hooks[1] = any_of(kTVMFFIOpaquePtr, (int64_t)(intptr_t)equal_number);
  CALL(t, index = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 0, kTVMFFIObject));
  CHECK_OK(t, TVMFFITypeRegisterAttr(index, &hash, &hooks[0]));
  CHECK_OK(t, TVMFFITypeRegisterAttr(index, &equal, &hooks[1]));
  for (i = 0; i < 10; ++i) {
    kept[i].header.combined_ref_count = ((uint64_t)1 << 32) | 1;
    kept[i].header.type_index = index;
    kept[i].number = 3 * i;
    args[2 * i] = any_object(&kept[i]);
    args[2 * i + 1] = any_int(i);
  }
  CLAUSE(t, "HSH-0013");
  CHECK_OK(t, call_named("ffi.Map", args, 20, &map));
  asked.header = kept[0].header;
  asked.header.combined_ref_count = ((uint64_t)1 << 32) | 1;
  args[0] = map;
  args[1] = any_object(&asked);
  for (i = 0; i < 10; ++i) {
    asked.number = 3 * i;
    CHECK_OK(t, call_named("ffi.MapGetItem", args, 2, &result));
    CHECK_EQ_INT(t, "value of an equal object", result.v_int64, i);
  }
  asked.number = 1;
  CHECK_FAILS(t, call_named("ffi.MapGetItem", args, 2, &result), "KeyError");
  release(&map);
  return 0;
}
