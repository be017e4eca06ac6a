#include "CTOML.h"

#include <toml++/toml.h>

#include <deque>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace {

/* What the C caller holds, together with the storage that its pointers lead to. */
struct document final : ctoml_document {
  std::vector<ctoml_node> storage;
  std::deque<std::string> strings; /* a deque never moves what it holds */
  std::string message;

  document() : ctoml_document{} {}

  const char *keep(std::string_view text) { return strings.emplace_back(text).c_str(); }
};

/* toml++ bounds the nesting of values but not of dotted keys, and frees a document recursively:
   a megabyte of "a.a.a." would exhaust the stack. A configuration needs a dot per table. */
constexpr size_t most_dots = 1024;

/* Dots outside strings and comments: an upper bound of how deep the keys of the text can nest.
   It reads valid TOML exactly; the parser stops at the first place where the text is not. */
class dot_counter {
 public:
  explicit dot_counter(std::string_view text) : text_(text) {}

  /* The line of the dot that is one too many, or 0. */
  uint32_t line_beyond(size_t limit) {
    size_t dots = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"' || c == '\'') {
        skip_string(c);
        continue;
      }
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
        continue;
      }
      if (c == '\n') ++line_;
      if (c == '.' && ++dots > limit) return line_;
      ++at_;
    }
    return 0;
  }

 private:
  void skip_string(char quote) {
    const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
    const bool many_lines = text_.substr(at_, 3) == triple;
    at_ += many_lines ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\\' && quote == '"') {
        ++at_;
        if (at_ < text_.size() && text_[at_] == '\n') ++line_;
        if (at_ < text_.size()) ++at_;
      } else if (many_lines && text_.substr(at_, 3) == triple) {
        at_ += 3;
        /* Up to two quotes may stand right before the closing three. */
        for (int extra = 0; extra < 2 && at_ < text_.size() && text_[at_] == quote; ++extra) ++at_;
        return;
      } else if (!many_lines && (c == quote || c == '\n')) {
        if (c == quote) ++at_;
        return;
      } else {
        if (c == '\n') ++line_;
        ++at_;
      }
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 1;
};

/* toml++ quotes what it met ("saw 'hunter2'", "'123' is not representable"): it may be a secret
   whose quotes were forgotten. Only keys that are defined twice are quoted on. */
std::string without_values(std::string_view description) {
  if (description.find("redefine") != std::string_view::npos) return std::string(description);
  const size_t saw = description.find(", saw ");
  if (saw != std::string_view::npos) description = description.substr(0, saw);
  std::string result;
  size_t at = 0;
  while (at < description.size()) {
    const size_t open = description.find('\'', at);
    const size_t close =
        open == std::string_view::npos ? open : description.find('\'', open + 1);
    if (close == std::string_view::npos) break;
    const std::string_view quoted = description.substr(open + 1, close - open - 1);
    result += description.substr(at, open + 1 - at);
    result += quoted.size() <= 2 || quoted == "true" || quoted == "false" ? quoted : "...";
    result += '\'';
    at = close + 1;
  }
  result += description.substr(at);
  return result;
}

void add(document &into, const toml::node &node, int32_t parent, const toml::key *key);

void add_members(document &into, const toml::node &node, int32_t index) {
  if (const auto *table = node.as_table()) {
    for (auto &&[key, value] : *table) add(into, value, index, &key);
  } else if (const auto *array = node.as_array()) {
    for (const toml::node &element : *array) add(into, element, index, nullptr);
  }
}

/* The recursion is as deep as the document, which `most_dots` and toml++ bound. */
void add(document &into, const toml::node &node, int32_t parent, const toml::key *key) {
  ctoml_node entry = {};
  entry.parent = parent;
  entry.line = node.source().begin.line;
  entry.column = node.source().begin.column;
  if (key) {
    entry.key = into.keep(key->str());
    entry.key_length = key->length();
    entry.key_line = key->source().begin.line;
    entry.key_column = key->source().begin.column;
  }
  if (node.is_table()) {
    entry.kind = CTOML_TABLE;
  } else if (node.is_array()) {
    entry.kind = CTOML_ARRAY;
  } else if (const auto *string = node.as_string()) {
    entry.kind = CTOML_STRING;
    entry.text = into.keep(string->get());
    entry.text_length = string->get().size();
  } else if (const auto *integer = node.as_integer()) {
    entry.kind = CTOML_INTEGER;
    entry.integer = integer->get();
  } else if (const auto *number = node.as_floating_point()) {
    entry.kind = CTOML_FLOAT;
    entry.number = number->get();
  } else if (const auto *boolean = node.as_boolean()) {
    entry.kind = CTOML_BOOLEAN;
    entry.integer = boolean->get() ? 1 : 0;
  } else {
    entry.kind = CTOML_DATE;
  }
  const auto index = static_cast<int32_t>(into.storage.size());
  into.storage.push_back(entry);
  add_members(into, node, index);
}

void fail(document &into, std::string message, uint32_t line, uint32_t column) {
  into.storage.clear();
  into.message = std::move(message);
  into.error = into.message.c_str();
  into.error_line = line;
  into.error_column = column;
}

void parse(document &into, std::string_view text) {
  if (const uint32_t line = dot_counter(text).line_beyond(most_dots)) {
    fail(into, "more than 1024 dots in keys and numbers", line, 1);
    return;
  }
  try {
    add(into, toml::parse(text), -1, nullptr);
  } catch (const toml::parse_error &error) {
    const auto &at = error.source().begin;
    fail(into, without_values(error.description()), at.line, at.column);
  }
}

}  // namespace

extern "C" const ctoml_document *ctoml_parse(const char *bytes, size_t length) {
  document *result = new (std::nothrow) document;
  if (!result) return nullptr;
  try {
    parse(*result, std::string_view(bytes, length));
    result->nodes = result->storage.data();
    result->count = result->storage.size();
    return result;
  } catch (...) {
    delete result;
    return nullptr;
  }
}

extern "C" void ctoml_free(const ctoml_document *parsed) {
  delete static_cast<const document *>(parsed);
}
