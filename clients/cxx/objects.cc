// Object types that C++ defines and the library works on by reflection: fields, methods, defaults, constructors, enums; repr, copies,
// comparison, structural equality with hooks, JSON, walks and mutations. All through the library's C++ functions.
#include <tvm/ffi/enum.h>
#include <tvm/ffi/extra/dataclass.h>
#include <tvm/ffi/extra/json.h>
#include <tvm/ffi/extra/serialization.h>
#include <tvm/ffi/extra/structural_equal.h>
#include <tvm/ffi/extra/structural_hash.h>
#include <tvm/ffi/extra/structural_key.h>
#include <tvm/ffi/extra/structural_mutate.h>
#include <tvm/ffi/extra/structural_visit.h>
#include <tvm/ffi/extra/visit_error_context.h>
#include <tvm/ffi/reflection/creator.h>
#include <tvm/ffi/reflection/enum_def.h>
#include <tvm/ffi/reflection/registry.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "show.h"

namespace refl = ffi::reflection;
using ffi::Any;
using ffi::AnyView;
using ffi::Array;
using ffi::Expected;
using ffi::Function;
using ffi::Map;
using ffi::ObjectRef;
using ffi::Optional;
using ffi::String;

namespace {

class ExprObj : public ffi::Object {
 public:
  static constexpr uint32_t _type_child_slots = 1;
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO("clients.Expr", ExprObj, ffi::Object);
};

class NumberObj : public ExprObj {
 public:
  int64_t value = 0;
  double scale = 1;
  NumberObj() = default;
  explicit NumberObj(int64_t value) : value(value) {}
  int64_t Plus(int64_t other) const { return value + other; }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("clients.Number", NumberObj, ExprObj);
};

class VarObj : public ExprObj {
 public:
  String name;
  VarObj() = default;
  explicit VarObj(String name) : name(std::move(name)) {}
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindFreeVar;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("clients.Var", VarObj, ExprObj);
};

class LambdaObj : public ExprObj {
 public:
  Array<ObjectRef> params;
  Any body;
  Optional<String> comment;
  LambdaObj() = default;
  LambdaObj(Array<ObjectRef> params, Any body, Optional<String> comment) : params(params), body(body), comment(comment) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("clients.Lambda", LambdaObj, ExprObj);
};

// Equal modulo ten, by hooks of its own; and printed, copied to JSON and compared its own way.
class ModuloObj : public ffi::Object {
 public:
  int64_t value = 0;
  ModuloObj() = default;
  explicit ModuloObj(int64_t value) : value(value) {}
  bool SEqual(const ModuloObj* other, const ffi::TypedFunction<bool(AnyView, AnyView, int, AnyView)>& equal) const {
    return equal(value % 10, other->value % 10, 0, "value");
  }
  int64_t SHash(int64_t start, const ffi::TypedFunction<int64_t(AnyView, int64_t, int)>& hash) const { return hash(value % 10, start, 0); }
  static constexpr TVMFFISEqHashKind _type_s_eq_hash_kind = kTVMFFISEqHashKindTreeNode;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("clients.Modulo", ModuloObj, ffi::Object);
};

template <typename T, typename... Args>
ObjectRef Make(Args&&... args) {
  return ObjectRef(ffi::make_object<T>(std::forward<Args>(args)...));
}

class ColourObj : public ffi::EnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("clients.Colour", ColourObj, ffi::EnumObj);
};
class Colour : public ffi::Enum {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Colour, ffi::Enum, ColourObj);
};
class LevelObj : public ffi::IntEnumObj {
 public:
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("clients.Level", LevelObj, ffi::IntEnumObj);
};
class Level : public ffi::IntEnum {
 public:
  TVM_FFI_DEFINE_OBJECT_REF_METHODS_NOTNULLABLE(Level, ffi::IntEnum, LevelObj);
};

TVM_FFI_STATIC_INIT_BLOCK() {
  refl::ObjectDef<ExprObj>();
  refl::ObjectDef<NumberObj>()
      .def(refl::init<int64_t>())
      .def_rw("value", &NumberObj::value, "The number.", refl::default_value(7))
      .def_rw("scale", &NumberObj::scale, refl::default_factory(Function::FromTyped([] { return 0.5; })), refl::AttachFieldFlag::SEqHashIgnore())
      .def("plus", &NumberObj::Plus, "Adds.")
      .def_static("of_text", [](String text) { return Make<NumberObj>(std::stoll(text)); });
  refl::ObjectDef<VarObj>().def_ro("name", &VarObj::name, refl::AttachFieldFlag::SEqHashIgnore());
  refl::ObjectDef<LambdaObj>()
      .def_ro("params", &LambdaObj::params, refl::AttachFieldFlag::SEqHashDefPattern())
      .def_ro("body", &LambdaObj::body)
      .def_ro("comment", &LambdaObj::comment, refl::default_value(nullptr), refl::AttachFieldFlag::SEqHashIgnore(), refl::kw_only(true));
  refl::ObjectDef<ModuloObj>().def_ro("value", &ModuloObj::value);
  refl::TypeAttrDef<ModuloObj>()
      .def(ffi::type_attr::kSEqual.name, &ModuloObj::SEqual)
      .def(ffi::type_attr::kSHash.name, &ModuloObj::SHash)
      .def("__ffi_repr__", [](const ffi::Object* self, const Function& repr) -> String {
        return "Modulo<" + std::string(repr(static_cast<const ModuloObj*>(self)->value % 10).cast<String>()) + ">";
      })
      .def("__ffi_eq__", [](const ffi::Object* a, const ffi::Object* b, const Function& equal) {
        return equal(static_cast<const ModuloObj*>(a)->value % 10, static_cast<const ModuloObj*>(b)->value % 10).cast<bool>();
      })
      .def("__ffi_hash__", [](const ffi::Object* self, const Function& hash) {
        return hash(static_cast<const ModuloObj*>(self)->value % 10).cast<int64_t>();
      })
      .def("__data_to_json__", [](AnyView value) -> Any { return Map<String, Any>{{"modulo", value.cast<const ModuloObj*>()->value}}; })
      .def("__data_from_json__", [](AnyView value) -> Any {
        return Make<ModuloObj>(value.cast<Map<String, Any>>().at("modulo").cast<int64_t>() + 100);
      });
  refl::ObjectDef<ColourObj>(refl::init(false)).def_convert<Colour>();
  refl::EnumDef<ColourObj>("red").set_attr("weight", 1);
  refl::EnumDef<ColourObj>("green").set_attr("weight", 2);
  refl::ObjectDef<LevelObj>(refl::init(false)).def_convert<Level>();
  refl::EnumDef<LevelObj>("low", 10);
  refl::EnumDef<LevelObj>("lowest", std::numeric_limits<int64_t>::min());
}

ObjectRef Number(int64_t value) { return Make<NumberObj>(value); }
ObjectRef Var(const char* name) { return Make<VarObj>(name); }
ObjectRef Lambda(Array<ObjectRef> params, Any body) { return Make<LambdaObj>(params, body, String("a comment")); }

void Reflection() {
  Heading("reflection");
  ObjectRef number = Number(5);
  Show("printed", [&] { return number; });
  Show("field", [&] { return refl::FieldGetter("clients.Number", "value")(number); });
  refl::FieldSetter("clients.Number", "value")(number.get(), 9);
  Show("set", [&] { return number; });
  Show("set wrongly", [&] { refl::FieldSetter("clients.Number", "value")(number.get(), "text"); });
  Show("no such field", [&] { return refl::FieldGetter("clients.Number", "none")(number); });
  Show("method", [&] { return refl::GetMethod("clients.Number", "plus")(number, 1); });
  Show("static method", [&] { return refl::GetMethod("clients.Number", "of_text")("12"); });
  Show("no such method", [&] { return refl::GetMethod("clients.Number", "none")(number); });
  Function init = refl::TypeAttrColumn("__ffi_init__")[NumberObj::RuntimeTypeIndex()].cast<Function>();
  Show("constructor", [&] { return init(3); });
  Show("constructor, wrongly", [&] { return init("three"); });
  Function lambda = refl::TypeAttrColumn("__ffi_init__")[LambdaObj::RuntimeTypeIndex()].cast<Function>();
  Show("by reflection", [&] { return lambda(Array<ObjectRef>{number}, 1); });
  Show("by reflection, too few", [&] { return lambda(Array<ObjectRef>{number}); });
  Show("by reflection, too many", [&] { return lambda(Array<ObjectRef>{number}, 1, 2); });
  Show("created", [] { return refl::ObjectCreator("clients.Number")(Map<String, Any>{{"value", 4}}); });
  Show("created by default", [] { return refl::ObjectCreator("clients.Number")(Map<String, Any>()); });
  Show("created without", [] { return refl::ObjectCreator("clients.Lambda")(Map<String, Any>()); });
  Show("created of what cannot be", [] { return refl::ObjectCreator("ffi.Function")(Map<String, Any>()); });
  std::cout << number->IsInstance<ExprObj>() << number->IsInstance<VarObj>() << number.as<NumberObj>()->value << std::endl;
  Show("downcast", [&] { return Any(AnyView(number).cast<const ExprObj*>()->GetTypeKey()); });
  Show("wrong downcast", [&] { return Any(AnyView(number).cast<const VarObj*>()->GetTypeKey()); });
}

void Enums() {
  Heading("enums");
  ffi::Enum red = ffi::EnumObj::_GetByStrIndex<ColourObj>("red");
  Show("red", [&] { return red; });
  std::cout << red.same_as(ffi::EnumObj::_GetByIntIndex<ColourObj>(0)) << refl::EnumDef<ColourObj>::IsDefined("blue") << std::endl;
  Show("missing", [] { return ffi::EnumObj::_GetByStrIndex<ColourObj>("blue"); });
  Show("lowest", [] { return ffi::EnumObj::_GetByIntIndex<LevelObj>(std::numeric_limits<int64_t>::min()); });
  Show("as JSON", [&] { return ffi::ToJSONGraph(Array<Any>{red, ffi::EnumObj::_GetByStrIndex<LevelObj>("low")}); });
  Show("and back", [&] { return Any(ffi::FromJSONGraph(ffi::ToJSONGraph(red)).cast<ObjectRef>().same_as(red)); });
  Show("defined twice", [] { refl::EnumDef<ColourObj>("red"); });
}

void Algorithms() {
  Heading("what the library does with them");
  ObjectRef x = Var("x"), y = Var("y"), shared = Number(1);
  std::vector<Any> values{Number(1), Number(2), x, Lambda({x}, Array<Any>{x, 1.5}), Lambda({y}, Array<Any>{y, 1.5}), Lambda({x}, y), Make<ModuloObj>(3),
                          Make<ModuloObj>(13), Array<Any>{shared, shared}, Map<Any, Any>{{"k", Number(1)}}, ffi::List<Any>{x}, "text", nullptr};
  for (const Any& value : values) {
    std::cout << "-- " << ffi::ReprPrint(value) << std::endl;
    Show("copied", [&] { return ffi::DeepCopy(value); });
    Show("hash", [&] { return Any(ffi::RecursiveHash(value)); });
    Show("JSON", [&] { return ffi::json::Stringify(ffi::ToJSONGraph(value, Map<String, Any>{{"version", 1}})); });
    Show("and back", [&] { return ffi::FromJSONGraph(ffi::ToJSONGraph(value)); });
    if (value.type_index() != VarObj::RuntimeTypeIndex()) {
      Show("structural hash", [&] { return Any(static_cast<int64_t>(ffi::StructuralHash::Hash(value, true))); });
      Show("structural key", [&] { return Any(ffi::StructuralKey(value) == ffi::StructuralKey(ffi::DeepCopy(value))); });
    }
    for (const Any& other : values) {
      std::cout << "   " << ffi::StructuralEqual::Equal(value, other) << ffi::StructuralEqual::Equal(value, other, true);
      Show(" mismatch", [&] { return Any(ffi::StructuralEqual::GetFirstMismatch(value, other)); });
      Show("   equal", [&] { return Any(ffi::RecursiveEq(value, other)); });
      Show("   less", [&] { return Any(ffi::RecursiveLt(value, other)); });
      Show("   greater or equal", [&] { return Any(ffi::RecursiveGe(value, other)); });
    }
  }
}

void Json() {
  Heading("JSON");
  for (const char* text : {"[1, 2.5, \"x\", null, true, {\"a\": []}]", "1e400", "[", "{\"a\" 1}", "\"\\ud83d\\ude00\"", "nul", "NaN", ""}) {
    Show(text, [&] { return ffi::json::Parse(text); });
    String error;
    Any value = ffi::json::Parse(text, &error);
    std::cout << "   " << Text(value) << " | " << error << std::endl;
    Show("   indented", [&] { return ffi::json::Stringify(value, 2); });
  }
  Show("no JSON", [] { return ffi::json::Stringify(ffi::Shape({1})); });
  Show("no text key", [] { return ffi::json::Stringify(Map<Any, Any>{{1, 2}}); });
}

void Traversals() {
  Heading("walks, visits, maps and mutations by engines of C++");
  ObjectRef x = Var("x");
  Any root = Array<Any>{Number(1), Lambda({x}, Map<String, Any>{{"k", x}, {"l", Number(2)}}), "text", 4};
  std::string seen;
  ffi::StructuralWalk<ffi::WalkOrder::kPreOrder>(
      root, [&](const NumberObj* number) { seen += " number " + std::to_string(number->value); return ffi::WalkResult::Advance(); },
      [&](const VarObj* var, TVMFFIDefRegionKind kind) { seen += " var " + std::string(var->name) + std::to_string(kind); return ffi::WalkResult::Advance(); },
      [&](const String& text) { seen += " " + std::string(text); return ffi::WalkResult::Advance(); });
  std::cout << seen << std::endl;
  auto interrupt = ffi::StructuralWalk<ffi::WalkOrder::kPostOrder>(
      root, [](const LambdaObj*) { return ffi::WalkResult::Interrupt(ffi::VisitInterrupt(String("found"))); });
  Show("interrupted", [&] { return Any(interrupt); });
  Show("mapped", [&] {
    return ffi::StructuralMap<ffi::WalkOrder::kPostOrder>(root, [](const NumberObj* number) -> Expected<Any> { return Any(Number(number->value * 10)); });
  });
  Show("mutated", [&] {
    return ffi::StructuralMutate(root, [](const VarObj* var, ffi::StructuralMutatorObj*) -> Expected<Any> { return Any(Var("renamed")); },
                                 [](int64_t value, ffi::StructuralMutatorObj*) -> Expected<Any> { return Any(value + 1); });
  });
  Show("left alone", [&] {
    return Any(ffi::StructuralMap<ffi::WalkOrder::kPreOrder>(root, [](double value) -> Expected<Any> { return Any(value); }).same_as(root));
  });
  Show("an error on the way", [&] {
    return ffi::StructuralMap<ffi::WalkOrder::kPostOrder>(
        root, [](const NumberObj*) -> Expected<Any> { return ffi::Unexpected(ffi::Error("ValueError", "not this one", "")); });
  });
  // No container on the way: the release finds no path where one is.
  Any nested = Lambda({}, Lambda({}, x));
  try {
    ffi::StructuralWalk<ffi::WalkOrder::kPreOrder>(nested, [](const VarObj*) -> ffi::WalkResult { throw ffi::Error("ValueError", "a variable", ""); });
  } catch (const ffi::Error& error) {
    auto context = ffi::VisitErrorContext::TryGetFromError(error);
    std::cout << error.message() << " " << context.has_value() << std::endl;
    if (context.has_value()) Show("at", [&] { return ffi::VisitErrorContext::FindAccessPaths(nested.cast<ObjectRef>(), context.value()); });
  }
}

}  // namespace

int main() {
  Reflection();
  Enums();
  Algorithms();
  Json();
  Traversals();
}
