/* Numbers where the program has chosen, for everything in C++, how people of some country write them. */
#include "outcomes.hpp"
#include "samples.hpp"

#include <locale>

using namespace tvm::ffi;

namespace {

/** A decimal comma, and points between thousands. */
struct Punctuation : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/** Has what comes next happen with that punctuation. */
struct Chosen {
  std::locale before = std::locale::global(std::locale(std::locale::classic(), new Punctuation));
  ~Chosen() { std::locale::global(before); }
};

template <typename Ask>
std::string WithPunctuation(Ask ask) {
  Chosen chosen;
  return ask();
}

std::string Json(const Any& value) { return String::TextOf(CallGlobal("ffi.json.Stringify", {value, Any()})); }
std::string Reread(const char* text) { return Json(CallGlobal("ffi.json.Parse", {Text(text)})); }

}  // namespace

/** Texts of numbers and of data types are the same whatever locale the program has chosen for C++. */
CXX_CALLER(texts_in_another_locale) {
  CLAUSE(t, "JSN-0020");
  for (int64_t number : {int64_t{1234567}, int64_t{-1000}, INT64_MIN}) {
    auto written = [&] { return Json(Any::Of(number)); };
    CHECK_TEXT(t, "the JSON text of an integer", WithPunctuation(written), std::to_string(number));
  }
  CLAUSE(t, "JSN-0021");
  for (double number : {2.5, -1234567.25, 1e-7, 1e22, 4096.0}) {
    std::string before = Json(Any::Of(number));
    CHECK_TEXT(t, "the JSON text of a Float", WithPunctuation([&] { return Json(Any::Of(number)); }), before);
  }
  CLAUSE(t, "JSN-0003");
  for (const char* text : {"2.5", "-1234567.25", "[1e-7, 0.125]", "{\"a\":1024.5}"}) {
    std::string before = Reread(text);
    CHECK_TEXT(t, text, WithPunctuation([&] { return Reread(text); }), before);
  }
  CLAUSE(t, "DTY-0010");
  for (uint16_t lanes : {4, 1000, 32767}) {
    DLDataType type = {kDLFloat, 16, lanes};
    auto written = [&] {
      TVMFFIAny text = {};
      if (TVMFFIDataTypeToString(&type, &text) != 0) throw Error::Raised();
      return String::TextOf(Any::Owning(text.v_obj));
    };
    std::string expected = "float16x" + std::to_string(lanes);
    CHECK_TEXT(t, "the text of a data type", WithPunctuation(written), expected);
    auto read = [&] {
      TVMFFIByteArray text = text_of(expected.c_str());
      DLDataType named = {};
      if (TVMFFIDataTypeFromString(&text, &named) != 0) throw Error::Raised();
      return std::to_string(named.lanes);
    };
    CHECK_TEXT(t, "the lanes that are read", WithPunctuation(read), std::to_string(lanes));
  }
  return 0;
}

/** The C++ functions that write, print and read come to what the global functions of their names come to, whatever locale the program has chosen for C++. */
CXX_CALLER(twins_in_another_locale) {
  NEEDS(t, "_ZN3tvm3ffi4json5ParseERKNS0_6StringEPS2_");
  NEEDS(t, "_ZN3tvm3ffi4json9StringifyERKNS0_3AnyERKNS0_8OptionalIivEE");
  for (const Any& value : Samples()) {
    CLAUSE(t, "CXX-0004");
    auto written = [&] { return TextOutcome([&] { return json::Stringify(value, Optional<int>()).text(); }); };
    auto written_by_name = [&] { return TextOutcome([&] { return Json(value); }); };
    CHECK_TEXT(t, "JSON", WithPunctuation(written), WithPunctuation(written_by_name));
    if (!dlsym(RTLD_DEFAULT, "_ZN3tvm3ffi9ReprPrintERKNS0_3AnyE")) continue;
    CLAUSE(t, "CXX-0011");
    auto printed = [&] { return TextOutcome([&] { return ReprPrint(value).text(); }); };
    auto printed_by_name = [&] {
      return TextOutcome([&] { return String::TextOf(CallGlobal("ffi.ReprPrint", {value})); });
    };
    CHECK_TEXT(t, "the printed form", WithPunctuation(printed), WithPunctuation(printed_by_name));
  }
  CLAUSE(t, "CXX-0002");
  for (const char* text : {"2.5", "-1234567.25", "1234567", "[1e-7, 0.125]", "{\"a\":1024.5}", "1.234.567", "2,5"}) {
    auto read = [&] { return TextOutcome([&] { return Json(json::Parse(String(text), nullptr)); }); };
    CHECK_TEXT(t, text, WithPunctuation(read), WithPunctuation([&] { return TextOutcome([&] { return Reread(text); }); }));
  }
  return 0;
}
