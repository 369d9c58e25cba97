/// The checked XML layer: see xml.hpp.
#include "axode/io/text/xml.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <pugixml.hpp>
#include <utility>
#include <vector>

namespace axode {
namespace {

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_name(char c) { return is_name_start(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 && !is_space(c); }

/// Whether XML allows the character reference between & and ;.
bool is_reference(std::string_view text) {
  for (const std::string_view known : {"lt", "gt", "amp", "apos", "quot"})
    if (text == known) return true;
  if (!text.starts_with('#')) return false;
  const int base = text.starts_with("#x") ? 16 : 10;
  const std::string_view digits = text.substr(base == 16 ? 2 : 1);
  unsigned code = 0;
  const char* const end = digits.data() + digits.size();
  const auto parsed = std::from_chars(digits.data(), end, code, base);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return false;
  if (code < 0x20) return code == 9 || code == 10 || code == 13;
  return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

/// One pass over the text: all that makes it well-formed, and the limits.
class Scanner {
 public:
  Scanner(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  void scan() {
    if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
    const auto* const control = std::find_if(text_.begin(), text_.end(), is_control);
    if (control != text_.end())
      fail(control - text_.begin(), "a control character", "remove it; is this a binary file?");
    while (at_ < text_.size()) {
      const std::size_t tag = std::min(text_.find('<', at_), text_.size());
      content(at_, tag);
      at_ = tag;
      if (at_ < text_.size()) markup();
    }
    if (!open_.empty())
      fail(text_.size(),
           "the file ends, but <" + shown(open_.back().first) + "> of line " +
               std::to_string(line(open_.back().second)) + " is not closed",
           "close it; is the file cut?");
    if (!has_root_) fail(0, "there is no element", "is this the right file?");
  }

 private:
  int line(std::size_t offset) const {
    return 1 + static_cast<int>(std::count(
                   text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
  }
  /// A name for messages.
  static std::string shown(std::string_view name) {
    const std::string text = in_quotes(name);
    return text.substr(1, text.size() - 2);
  }
  std::string place(std::size_t offset) const {
    return source_ + ":" + std::to_string(line(offset));
  }
  [[noreturn]] void fail(std::size_t offset, const std::string& problem,
                         const std::string& remedy) const {
    throw Error("this is not well-formed XML: " + problem, place(offset), remedy);
  }
  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }
  std::string_view name() {
    const std::size_t first = at_;
    if (at_ < text_.size() && is_name_start(text_[at_]))
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    return text_.substr(first, at_ - first);
  }

  /// Goes behind the end mark of a comment, instruction or CDATA section.
  void skip_to(std::string_view mark, const char* what) {
    const std::size_t end = text_.find(mark, at_);
    if (end == std::string_view::npos)
      fail(at_, std::string(what) + " is not closed", "close it by " + std::string(mark));
    at_ = end + mark.size();
  }

  void content(std::size_t first, std::size_t last) {
    const std::string_view text = text_.substr(first, last - first);
    if (open_.empty()) {
      const auto* const stray = std::find_if_not(text.begin(), text.end(), is_space);
      if (stray != text.end())
        fail(first + (stray - text.begin()), "text outside the root element",
             "remove it; is this the right file?");
    }
    references(first, text);
  }
  void references(std::size_t first, std::string_view text) {
    for (std::size_t i = text.find('&'); i != std::string_view::npos; i = text.find('&', i + 1)) {
      const std::string_view next = text.substr(i + 1, 12);
      const std::size_t end = next.find(';');
      if (end == std::string_view::npos || !is_reference(next.substr(0, end)))
        fail(first + i, in_quotes(text.substr(i, 12)) + " is not a character of XML",
             "write &amp; for a single &");
    }
  }

  void markup() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("<!--")) {
      at_ += 4;
      skip_to("-->", "a comment");
    } else if (rest.starts_with("<![CDATA[") && !open_.empty()) {
      skip_to("]]>", "a CDATA section");
    } else if (rest.starts_with("<!")) {
      throw Error("document types and entities are not allowed", place(at_),
                  "remove this declaration and what uses it");
    } else if (rest.starts_with("<?")) {
      skip_to("?>", "an instruction");
    } else if (rest.starts_with("</")) {
      end_tag();
    } else {
      start_tag();
    }
  }

  void end_tag() {
    const std::size_t tag = at_;
    at_ += 2;
    const std::string_view closed = name();
    skip_space();
    if (at_ == text_.size()) fail(tag, "the file ends inside a closing tag", "is the file cut?");
    if (closed.empty() || text_[at_] != '>')
      fail(tag, "a closing tag is not of the form </name>", "mend it");
    if (open_.empty())
      fail(tag, "</" + shown(closed) + "> closes nothing", "remove it or open it before");
    if (open_.back().first != closed)
      fail(tag,
           "</" + shown(closed) + "> closes <" + shown(open_.back().first) + "> of line " +
               std::to_string(line(open_.back().second)),
           "close elements in the reverse order of opening them");
    open_.pop_back();
    ++at_;
  }

  void start_tag() {
    const std::size_t tag = at_++;
    const std::string_view element = name();
    if (element.empty()) fail(tag, "a < without a name", "write &lt; for the character <");
    if (open_.empty() && has_root_)
      fail(tag, "<" + shown(element) + "> is a second root element",
           "put everything inside one element");
    has_root_ = true;
    count(tag);
    const bool closed = attributes(tag, element);
    if (closed) return;
    open_.emplace_back(element, tag);
    if (open_.size() > max_file_depth)
      throw LimitError("elements are nested deeper than " + std::to_string(max_file_depth),
                       place(tag), "nest them less");
  }

  void count(std::size_t offset) {
    if (++nodes_ > max_file_nodes)
      throw LimitError("more than " + std::to_string(max_file_nodes) + " elements and attributes",
                       place(offset), "split the model");
  }

  /// The attributes and the end of a tag; whether the tag is empty, <a/>.
  bool attributes(std::size_t tag, std::string_view element) {
    names_.clear();
    for (;;) {
      const std::size_t before = at_;
      skip_space();
      const std::string_view rest = text_.substr(at_, 2);
      if (rest.starts_with('>') || rest == "/>") {
        at_ += rest.starts_with('>') ? 1 : 2;
        check_duplicates(tag, element);
        return rest == "/>";
      }
      if (at_ >= text_.size())
        fail(tag, "the file ends inside the tag <" + shown(element), "is the file cut?");
      const std::size_t start = at_;
      const std::string_view attribute = name();
      if (attribute.empty() || start == before)
        fail(start, "unexpected characters in the tag <" + shown(element) + ">",
             "write attributes as name=\"value\", separated by spaces");
      count(start);
      names_.push_back(attribute);
      value(start, attribute);
    }
  }
  void value(std::size_t start, std::string_view attribute) {
    skip_space();
    const bool equals = at_ < text_.size() && text_[at_] == '=';
    if (equals) ++at_;
    skip_space();
    const char quote = at_ < text_.size() ? text_[at_] : ' ';
    if (!equals || (quote != '"' && quote != '\''))
      fail(start, "the attribute " + shown(attribute) + " has no value in quotes",
           "write " + shown(attribute) + "=\"...\"");
    const std::size_t first = ++at_;
    const std::size_t last = text_.find(quote, first);
    if (last == std::string_view::npos)
      fail(start, "the value of the attribute " + shown(attribute) + " is not closed",
           "close the quotes; is the file cut?");
    const std::string_view inside = text_.substr(first, last - first);
    if (inside.find('<') != std::string_view::npos)
      fail(start, "the value of the attribute " + shown(attribute) + " holds a <",
           "close the quotes, or write &lt;");
    references(first, inside);
    at_ = last + 1;
  }
  void check_duplicates(std::size_t tag, std::string_view element) {
    std::sort(names_.begin(), names_.end());
    const auto twice = std::adjacent_find(names_.begin(), names_.end());
    if (twice != names_.end())
      fail(tag, "<" + shown(element) + "> has the attribute " + shown(*twice) + " twice",
           "remove one of them");
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0, nodes_ = 0;
  bool has_root_ = false;
  std::vector<std::pair<std::string_view, std::size_t>> open_;
  std::vector<std::string_view> names_;
};

}  // namespace

void check_xml(std::string_view text, const std::string& source) {
  if (text.size() > max_file_size)
    throw LimitError("more than " + std::to_string(max_file_size >> 20) + " MB of text", source,
                     "keep meshes and recorded data in files of their own");
  check_utf8(text, source);
  Scanner(text, source).scan();
}

std::string xml_escaped(std::string_view text) {
  check_utf8(text, in_quotes(text));
  std::string result;
  for (const char c : text) {
    if (is_control(c))
      throw Error(in_quotes(text) + " holds a control character", "xml_escaped",
                  "remove it: XML has no way to write it");
    constexpr std::array<std::pair<char, std::string_view>, 7> escapes{{{'&', "&amp;"},
                                                                        {'<', "&lt;"},
                                                                        {'>', "&gt;"},
                                                                        {'"', "&quot;"},
                                                                        {'\t', "&#9;"},
                                                                        {'\n', "&#10;"},
                                                                        {'\r', "&#13;"}}};
    const auto* const found = std::find_if(escapes.begin(), escapes.end(),
                                           [&](const auto& escape) { return escape.first == c; });
    if (found == escapes.end())
      result += c;
    else
      result += found->second;
  }
  return result;
}

// --- the tree -------------------------------------------------------------------------------------

struct XmlFile::Document {
  std::string buffer;  // pugixml's strings point into it
  pugi::xml_document tree;
};

XmlFile::XmlFile(std::string_view text, std::string source)
    : source_(std::move(source)),
      text_(text),
      lines_(text_),
      document_(std::make_unique<Document>()) {
  check_xml(text, source_);
  document_->buffer = text;
  const auto parsed = document_->tree.load_buffer_inplace(
      document_->buffer.data(), document_->buffer.size(),
      pugi::parse_escapes | pugi::parse_wconv_attribute, pugi::encoding_utf8);
  if (!parsed)
    throw Error(std::string("this is not well-formed XML: ") + parsed.description(),
                source_ + ":" + std::to_string(lines_.line(parsed.offset)), "mend it");
}
XmlFile::~XmlFile() = default;

XmlElement XmlFile::root() const {
  return XmlElement(document_->tree.document_element().internal_object());
}
int XmlFile::line(XmlElement element) const {
  const std::ptrdiff_t offset = pugi::xml_node(element.node_).offset_debug();
  return offset < 0 ? 0 : lines_.line(offset);
}
std::string XmlFile::place(XmlElement element) const {
  return source_ + ":" + std::to_string(line(element));
}

namespace {
XmlElement element_from(pugi::xml_node node) {
  while (node && node.type() != pugi::node_element) node = node.next_sibling();
  return XmlElement(node.internal_object());
}
}  // namespace

std::string_view XmlElement::name() const { return pugi::xml_node(node_).name(); }
std::optional<std::string_view> XmlElement::attribute(const char* attribute_name) const {
  const pugi::xml_attribute found = pugi::xml_node(node_).attribute(attribute_name);
  if (!found) return std::nullopt;
  return found.value();
}
std::string_view XmlElement::text() const { return pugi::xml_node(node_).child_value(); }
XmlElement XmlElement::first_child() const {
  return element_from(pugi::xml_node(node_).first_child());
}
XmlElement XmlElement::next() const { return element_from(pugi::xml_node(node_).next_sibling()); }

}  // namespace axode
