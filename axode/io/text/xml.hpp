/// XML, strictly: a file is checked completely before a tree is made of it.
///
/// One pass without recursion refuses what is not well-formed, document types and entities (so
/// nothing expands), duplicate attributes, depth and numbers of nodes beyond the limits of
/// text_file.hpp; every message names the line. Then pugixml builds the tree. O(size of the file);
/// several times its size in memory.
/// Tests: tests/io/text/xml_test.cpp
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "axode/io/text/text_file.hpp"

namespace pugi {
struct xml_node_struct;
}

namespace axode {

/// Throws Error unless the text is well-formed XML 1.0 in UTF-8 with one root element and without a
/// document type; LimitError if it is too deep or has too many elements and attributes.
void check_xml(std::string_view text, const std::string& source);

/// The text for use in an attribute between double quotes. Throws Error on what XML cannot hold:
/// control characters and bytes that are not UTF-8.
std::string xml_escaped(std::string_view text);

/// An element of an XmlFile, which must live longer. Cheap to copy; may be none.
class XmlElement {
 public:
  XmlElement() = default;
  explicit XmlElement(pugi::xml_node_struct* node) noexcept : node_(node) {}
  explicit operator bool() const noexcept { return node_ != nullptr; }

  std::string_view name() const;
  /// The value, white space at its ends kept; O(number of attributes).
  std::optional<std::string_view> attribute(const char* attribute_name) const;
  /// The text directly inside, up to the first child element; empty if there is none.
  std::string_view text() const;
  /// The first child element, the next element with the same parent, or none.
  XmlElement first_child() const;
  XmlElement next() const;
  friend bool operator==(const XmlElement&, const XmlElement&) = default;

 private:
  friend class XmlFile;
  pugi::xml_node_struct* node_ = nullptr;
};

/// A checked XML file as a tree of elements.
class XmlFile {
 public:
  /// Checks and parses; `source` is the name for messages.
  XmlFile(std::string_view text, std::string source);
  XmlFile(const XmlFile&) = delete;
  XmlFile& operator=(const XmlFile&) = delete;
  ~XmlFile();

  XmlElement root() const;
  int line(XmlElement element) const;
  /// "source:line".
  std::string place(XmlElement element) const;
  const std::string& source() const noexcept { return source_; }

 private:
  struct Document;
  std::string source_;
  std::string text_;
  LineIndex lines_;
  std::unique_ptr<Document> document_;
};

}  // namespace axode
