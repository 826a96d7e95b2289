/*
 * Values of every kind for callers in C++.
 */
#ifndef TVM_FFI_FIXTURES_CXX_SAMPLES_H_
#define TVM_FFI_FIXTURES_CXX_SAMPLES_H_

#include <cmath>
#include <vector>

#include "caller.hpp"

namespace tvm {
namespace ffi {

inline Any List(std::initializer_list<Any> items) { return CallGlobal("ffi.Array", items); }
inline Any Text(const char* text) { return String(text); }

/** Values of every kind that JSON has, nested. */
inline Any Document() {
  Any inner = CallGlobal("ffi.Map", {Text("a key that is longer than a word"), List({Any::Of(1), Any::Of(2.5), Any()})});
  return List({inner, Text("text"), Any::Of(true), Any::Of(int64_t{1} << 53), List({})});
}

/** A tensor over one float. */
inline Any Tensor(float* content) {
  static int64_t shape[1] = {1};
  DLManagedTensor* managed = new DLManagedTensor();
  managed->dl_tensor.data = content;
  managed->dl_tensor.device = CPU();
  managed->dl_tensor.ndim = 1;
  managed->dl_tensor.dtype = DLDataType{kDLFloat, 32, 1};
  managed->dl_tensor.shape = shape;
  managed->deleter = [](DLManagedTensor* self) { delete self; };
  TVMFFIObjectHandle tensor = nullptr;
  if (TVMFFITensorFromDLPack(managed, 0, 0, &tensor) != 0) throw Error::Raised();
  return Any::Owning(tensor);
}

/** A new type of objects that are a header and nothing more. */
inline int32_t NewType(const char* name, TVMFFISEqHashKind kind) {
  TVMFFIByteArray key = text_of(name);
  TVMFFITypeMetadata metadata = {};
  metadata.total_size = sizeof(TVMFFIObject);
  metadata.structural_eq_hash_kind = kind;
  int32_t made = TVMFFITypeGetOrAllocIndex(&key, -1, 1, 0, 1, kTVMFFIObject);
  if (TVMFFITypeRegisterMetadata(made, &metadata) != 0) throw Error::Raised();
  return made;
}

/** An object of such a type. */
inline Any ObjectOf(int32_t index) {
  TVMFFIObject* object = new TVMFFIObject();
  object->combined_ref_count = (uint64_t{1} << 32) | 1;
  object->type_index = index;
  object->deleter = [](void* self, int flags) {
    if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) delete static_cast<TVMFFIObject*>(self);
  };
  return Any::Owning(object);
}

/** A variable: an object of a type whose instances are mapped onto each other. */
inline Any Variable() {
  static int32_t index = NewType("verify.cxx.Variable", kTVMFFISEqHashKindFreeVar);
  return ObjectOf(index);
}

/** A callee that fails. */
inline int Refuse(void*, const TVMFFIAny*, int32_t, TVMFFIAny*) {
  TVMFFIErrorSetRaisedFromCStr("ValueError", "refused by a client");
  return -1;
}

/** A function object that fails. */
inline Any RefusingFunction() {
  TVMFFIObjectHandle function = nullptr;
  if (TVMFFIFunctionCreate(nullptr, Refuse, nullptr, &function) != 0) throw Error::Raised();
  return Any::Owning(function);
}

/** An object of a type whose hooks fail, whatever they are asked. */
inline Any RefusingObject() {
  static int32_t index = [] {
    int32_t made = NewType("verify.cxx.Refusing", kTVMFFISEqHashKindTreeNode);
    Any hook = RefusingFunction();
    for (const char* column : {"__s_equal__", "__s_hash__", "__ffi_eq__", "__ffi_compare__", "__ffi_hash__", "__ffi_repr__",
                               "__ffi_shallow_copy__", "__data_to_json__"}) {
      TVMFFIByteArray name = text_of(column);
      if (TVMFFITypeRegisterAttr(made, &name, &hook.get()) != 0) throw Error::Raised();
    }
    return made;
  }();
  return ObjectOf(index);
}

/** A String object of the client's, with a head, a content that is set afterwards, and whatever else the cell has; it ends with the object. */
template <typename Cell>
Cell* NewTextCell() {
  Cell* cell = new Cell();
  cell->header.combined_ref_count = (uint64_t{1} << 32) | 1;
  cell->header.type_index = kTVMFFIStr;
  cell->header.deleter = [](void* self, int flags) {
    if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) delete static_cast<Cell*>(self);
  };
  return cell;
}

/** A text as a String object of the client's, however short it is; its bytes lie elsewhere. */
inline Any TextObject(const char* text) {
  struct Cell {
    TVMFFIObject header;
    TVMFFIByteArray content;
  };
  Cell* cell = NewTextCell<Cell>();
  cell->content = text_of(text);
  return Any::Owning(&cell->header);
}

inline Any BytesOf(const char* content) {
  TVMFFIByteArray bytes = text_of(content);
  Any made;
  if (TVMFFIBytesFromByteArray(&bytes, made.slot()) != 0) throw Error::Raised();
  return made;
}

/** An integer of two words, -2^64, where the library has such. */
inline Any BigInteger() {
  using Make = int (*)(const TVMFFIByteArray*, TVMFFIAny*);
  Make make = reinterpret_cast<Make>(dlsym(RTLD_DEFAULT, "TVMFFIBigIntFromByteArray"));
  static const uint64_t words[] = {0, UINT64_MAX};
  TVMFFIByteArray content = {reinterpret_cast<const char*>(words), sizeof(words)};
  Any made;
  if (make && make(&content, made.slot()) != 0) throw Error::Raised();
  return made;
}

/** A container, where the library has such. */
inline Any Container(const char* name, std::initializer_list<Any> arguments) {
  TVMFFIByteArray text = text_of(name);
  TVMFFIObjectHandle function = nullptr;
  if (TVMFFIFunctionGetGlobal(&text, &function) != 0) throw Error::Raised();
  return function ? Call(ObjectRef(function).handle(), arguments) : Any();
}

/** Values of every kind, and of every form of each, made anew. */
inline std::vector<Any> Samples() {
  static float one = 1, two = 2;
  const char* long_text = "a text that is longer than a word";
  Any inner = List({Any::Of(1), Any::Of(2)}), nan = Any::Of(NAN), map = CallGlobal("ffi.Map", {});
  return {Any(), Any::Of(false), Any::Of(true), Any::Of(0), Any::Of(-1), Any::Of(1), Any::Of(INT64_MIN), BigInteger(),
          Any::Of(0.0), Any::Of(-0.0), Any::Of(1.0), Any::Of(1.5), nan, Text(""), Text("a"), TextObject("a"), Text("b"),
          Text(long_text), TextObject(long_text), BytesOf("a"), BytesOf(long_text), CallGlobal("ffi.Shape", {Any::Of(1)}),
          Tensor(&one), Tensor(&two), Variable(), inner, List({Any::Of(1), Any::Of(3)}), List({Any::Of(1)}), List({}),
          List({nan}), List({TextObject("a")}), List({Text("a")}), Document(), map, List({map}),
          CallGlobal("ffi.Map", {TextObject("a"), inner}), CallGlobal("ffi.Map", {Text("a"), inner}),
          Container("ffi.List", {}), Container("ffi.List", {inner, Any::Of(0.1)}), Container("ffi.Dict", {}),
          Container("ffi.Dict", {Text("a"), inner})};
}

}  // namespace ffi
}  // namespace tvm

#endif
