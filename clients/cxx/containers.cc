// Containers that C++ and the library build, grow, copy and erase in turn: C++ does so in its own inlined code, the library behind
// its global functions, and each goes on with memory of the other.
#include "show.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <vector>

using ffi::Any;
using ffi::Array;
using ffi::Dict;
using ffi::Function;
using ffi::List;
using ffi::Map;
using ffi::String;

namespace {

// A global function of the library.
template <typename... Args>
Any Call(const char* name, Args&&... args) {
  return Function::GetGlobalRequired(name)(std::forward<Args>(args)...);
}

// A value whose life is counted, to see that each is released once.
class CountedObj : public ffi::Object {
 public:
  static int& Alive() {
    static int alive = 0;
    return alive;
  }
  int64_t id;
  explicit CountedObj(int64_t id) : id(id) { ++Alive(); }
  ~CountedObj() { --Alive(); }
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("clients.Counted", CountedObj, ffi::Object);
};

ffi::ObjectRef Counted(int64_t id) { return ffi::ObjectRef(ffi::make_object<CountedObj>(id)); }

// Keys of every kind that have a hash of their own.
Any Key(int64_t i) {
  switch (i % 5) {
    case 0: return i;
    case 1: return String("k" + std::to_string(i));
    case 2: return String("a longer key, on the heap: " + std::to_string(i));
    case 3: return static_cast<double>(i) + 0.5;
    default: return ffi::Bytes("b" + std::to_string(i));
  }
}

void Arrays() {
  Heading("Array");
  Array<Any> array;
  for (int64_t i = 0; i < 9; ++i) {
    array.push_back(i);
    std::cout << array.size() << "/" << array.capacity() << " ";
  }
  std::cout << std::endl;
  Array<Any> copy = array;
  copy.Set(0, String("changed"));
  Show("copied on write", [&] { return Array<Any>{array, copy}; });
  const void* address = copy.get();
  copy.Set(1, 1.5);
  std::cout << "in place when alone: " << (copy.get() == address) << std::endl;
  array.insert(array.begin() + 2, String("inserted"));
  array.erase(array.begin(), array.begin() + 2);
  array.resize(12);
  Show("inserted, erased, resized", [&] { return array; });
  Show("out of bounds", [&] { return array[99]; });
  Show("pop of nothing", [] { Array<Any>().pop_back(); });
  Array<Any> theirs = Call("ffi.Array", 1, "two", 3.0).cast<Array<Any>>();
  std::cout << "made by the library: " << theirs.size() << "/" << theirs.capacity() << std::endl;
  for (int64_t i = 0; i < 5; ++i) theirs.push_back(Counted(i));
  Show("grown by C++", [&] { return Call("ffi.ArraySize", theirs); });
  Show("typed", [] { return Array<int64_t>{1, 2, 3}; });
  Show("converted", [] { return Any(Array<Any>{1, 2}).cast<Array<double>>(); });
  Show("not converted", [] { return Any(Array<Any>{1, String("two")}).cast<Array<int64_t>>(); });
  Show("of a List", [] { return Any(List<Any>{1, 2}).cast<Array<int64_t>>(); });
  Show("a tuple", [] { return ffi::Tuple<int64_t, String, double>(1, "two", 3.0); });
  Show("mapped", [] { return Array<int64_t>{1, 2, 3}.Map([](int64_t x) { return x * x; }); });
}

void Lists() {
  Heading("List, driven by both in turn and compared with a std::vector");
  std::mt19937 random(17);
  List<Any> list;
  std::vector<int64_t> model;
  for (int step = 0; step < 2000; ++step) {
    int64_t value = static_cast<int64_t>(random() % 1000);
    size_t at = model.empty() ? 0 : random() % model.size();
    switch (random() % (step % 500 < 300 ? 7 : 11)) {
      case 0: list.push_back(value); model.push_back(value); break;
      case 1: Call("ffi.ListAppend", list, value); model.push_back(value); break;
      case 2: list.insert(list.begin() + at, Any(value)); model.insert(model.begin() + at, value); break;
      case 3: Call("ffi.ListInsert", list, static_cast<int64_t>(at), value); model.insert(model.begin() + at, value); break;
      case 4: list.reserve(model.size() + value % 40); break;
      case 5: Call("ffi.ListReserve", list, static_cast<int64_t>(model.size() + value % 40)); break;
      case 6: Call("ffi.ListReverse", list); std::reverse(model.begin(), model.end()); break;
      case 7: if (!model.empty()) { list.erase(list.begin() + at); model.erase(model.begin() + at); } break;
      case 8: if (!model.empty()) { Call("ffi.ListErase", list, static_cast<int64_t>(at)); model.erase(model.begin() + at); } break;
      case 9: if (!model.empty()) { list.pop_back(); model.pop_back(); } break;
      default: if (!model.empty()) { Call("ffi.ListSetItem", list, static_cast<int64_t>(at), value); model[at] = value; }
    }
    if (!std::equal(model.begin(), model.end(), list.begin(), list.end(), [](int64_t a, const Any& b) { return b.cast<int64_t>() == a; })) {
      std::cout << "differs after step " << step << std::endl;
      return;
    }
    if (step % 250 == 0) std::cout << step << ": " << list.size() << "/" << list.capacity() << std::endl;
  }
  Show("in the end", [&] { return list; });
  List<Any> alias = list;
  list.clear();
  std::cout << "the same list: " << alias.size() << " " << alias.same_as(list) << std::endl;
}

// Drives a Map or a Dict from both sides; the library's functions only exist for Dict.
template <typename Container>
void Tables(const char* name) {
  Heading(std::string(name) + ", driven and compared with a std::map, its order printed");
  constexpr bool kMutable = std::is_same_v<Container, Dict<Any, Any>>;
  std::mt19937 random(17);
  Container table;
  std::map<int64_t, int64_t> model;
  for (int step = 0; step < 3000; ++step) {
    int64_t id = static_cast<int64_t>(random() % 200);
    bool library = kMutable && random() % 2 == 0;
    if (random() % (step < 1500 ? 8 : 3) < 2) {
      if (library) {
        if constexpr (kMutable) Call("ffi.DictErase", table, Key(id));
      } else {
        table.erase(Key(id));
      }
      model.erase(id);
    } else {
      if (library) {
        if constexpr (kMutable) Call("ffi.DictSetItem", table, Key(id), step);
      } else {
        table.Set(Key(id), step);
      }
      model[id] = step;
    }
    bool same = table.size() == model.size();
    for (const auto& [key, value] : model) {
      auto found = table.Get(Key(key));
      same = same && found.has_value() && found.value().template cast<int64_t>() == value;
    }
    if (!same) {
      std::cout << "differs after step " << step << std::endl;
      return;
    }
    if (step % 500 == 0 || step < 8) {
      std::cout << step << ":";
      for (const auto& [key, value] : table) std::cout << " " << Text(key) << "=" << Text(value);
      std::cout << std::endl;
    }
  }
  Show("in the end", [&] { return table; });
  Container copy = table;
  copy.Set(String("more"), 1);
  std::cout << "the other one: " << (table.size() == copy.size()) << std::endl;
  Show("a missing key", [&] { return table.at(String("missing")); });
  table.clear();
  Show("cleared", [&] { return table; });
}

void Sizes() {
  Heading("a Dict that each side begins and the other fills");
  for (int64_t count : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 33, 100}) {
    Dict<Any, Any> ours, theirs = Call("ffi.Dict").cast<Dict<Any, Any>>();
    for (int64_t i = 0; i < count; ++i) {
      Call("ffi.DictSetItem", ours, Key(i), Counted(i));
      theirs.Set(Key(i), Counted(i));
    }
    Dict<Any, Any> alias = ours;
    for (int64_t i = 0; i < count; i += 2) {
      ours.erase(Key(i));
      Call("ffi.DictErase", theirs, Key(i));
    }
    std::cout << count << ": " << ours.size() << " " << alias.size() << " " << theirs.size() << " alive: " << CountedObj::Alive() << std::endl;
    for (const auto& entry : ours) std::cout << " " << Text(entry.first);
    for (const auto& entry : theirs) std::cout << " " << Text(entry.first);
    std::cout << std::endl;
    if (count % 2 == 0) Call("ffi.DictClear", alias);
    Map<Any, Any> made = Call("ffi.Map", 1, Counted(1), "2", Counted(2)).cast<Map<Any, Any>>();
    for (int64_t i = 0; i < count; ++i) made.Set(Key(i), Counted(i));
    std::cout << made.size() << " " << made.count(1) << std::endl;
  }
  std::cout << "alive in the end: " << CountedObj::Alive() << std::endl;
}

// An integer that 64 bits do not hold.
Any Big() {
  const int64_t words[] = {1, 2, 3};
  TVMFFIByteArray bytes{reinterpret_cast<const char*>(words), sizeof(words)};
  Any result;
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIBigIntFromByteArray(&bytes, reinterpret_cast<TVMFFIAny*>(&result)));
  return result;
}

void Hashes() {
  Heading("hash and equality of the library are those that C++ inlines");
  std::vector<Any> values{nullptr, true, 1, 1.0, -0.0, 0.0, String("short"), String("a longer string"), ffi::Bytes("bytes"), ffi::Shape({1, 2}),
                          DLDataType{kDLInt, 8, 1}, DLDevice{kDLCPU, 0}, Array<Any>{1}, Big()};
  values.push_back(values[12]);
  values.push_back(Big());
  values.push_back(String(std::string("short")));
  for (size_t i = 0; i < values.size(); ++i) {
    Map<Any, Any> map = Call("ffi.Map", values[i], 1).cast<Map<Any, Any>>();
    for (size_t j = 0; j < values.size(); ++j) std::cout << map.count(values[j]) << Call("ffi.MapCount", map, values[j]).cast<int64_t>() << " ";
    if (values[i].type_index() < ffi::TypeIndex::kTVMFFIShape) std::cout << ffi::AnyHash()(values[i]);
    std::cout << std::endl;
  }
}

void Typed() {
  Heading("typed maps");
  Map<String, Array<int64_t>> map{{"a", {1, 2}}, {"b", {}}};
  Show("a map", [&] { return map; });
  Show("converted", [&] { return Any(map).cast<Map<String, Array<double>>>(); });
  Show("wrong key", [] { return Any(Map<Any, Any>{{1, 1}}).cast<Map<String, int64_t>>(); });
  Show("wrong value", [] { return Any(Map<Any, Any>{{String("a"), String("b")}}).cast<Map<String, int64_t>>(); });
  Show("a Dict of a Map", [&] { return Any(map).cast<Dict<String, Array<int64_t>>>(); });
  Show("merged", [&] { return ffi::Merge(map, Map<String, Array<int64_t>>{{"c", {3}}, {"a", {9}}}); });
}

}  // namespace

int main() {
  Arrays();
  Lists();
  Tables<Map<Any, Any>>("Map");
  Tables<Dict<Any, Any>>("Dict");
  Sizes();
  Hashes();
  Typed();
}
