/// The checked XML layer: what is well-formed, what is not and in which line, and the tree.
#include "axode/io/text/xml.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/support/errors.hpp"

namespace axode::test::xml_test {
namespace {

TEST(CheckXml, AcceptsWellFormedFiles) {
  for (const char* text :
       {"<a/>", "<a></a>", "\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- c --><a b='1' c = \"2\"/>\n",
        "<a><!-- <b> --><![CDATA[ <b> & ]]><?run it?>text &lt;&#65;&#x20AC;&amp;</a >",
        "<a:b x:y='&quot;>'/>", "<\xc3\xa4 \xc3\xb6=''/>", "<a b='\"' c=\"'\"/>\r\n<!-- end -->"})
    EXPECT_NO_THROW(check_xml(text, "f")) << text;
}

TEST(CheckXml, RefusesTheRestWithLineAndRemedy) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "f:1: this is not well-formed XML: there is no element; "},
      {" \n ", "there is no element"},
      {"<!-- only -->", "there is no element"},
      {"text", "f:1: this is not well-formed XML: text outside the root element; "},
      {"<a/>\nb", "f:2: this is not well-formed XML: text outside"},
      {"<a/>\n<b/>", "f:2: this is not well-formed XML: <b> is a second root"},
      {"<a>\n\n", "f:3: this is not well-formed XML: the file ends, but <a> of line 1"},
      {"<a>\n</b>", "f:2: this is not well-formed XML: </b> closes <a> of line 1; "},
      {"<a><b></a></b>", "</a> closes <b>"},
      {"<a/></a>", "</a> closes nothing"},
      {"<a></a", "ends inside a closing tag"},
      {"<a></ a>", "not of the form </name>"},
      {"<a></a b=''>", "not of the form </name>"},
      {"<a", "ends inside the tag <a"},
      {"<a b", "attribute b has no value in quotes; write b=\"...\""},
      {"<a b/>", "no value in quotes"},
      {"<a b=/>", "no value in quotes"},
      {"<a b=1/>", "no value in quotes"},
      {"<a b='1", "value of the attribute b is not closed"},
      {"<a b='1'c='2'/>", "separated by spaces"},
      {"<a b='<'/>", "holds a <"},
      {"<a\nb='1' c='' b='2'/>", "f:1: this is not well-formed XML: <a> has the attribute b twice"},
      {"<a / >", "unexpected characters"},
      {"<a 1='2'/>", "unexpected characters"},
      {"< a/>", "a < without a name"},
      {"<1/>", "a < without a name"},
      {"<a>\n<", "f:2: this is not well-formed XML: a < without a name"},
      {"<a><!-- </a>", "a comment is not closed; close it by -->"},
      {"<!--> <a/>", "a comment is not closed"},
      {"<a><![CDATA[ </a>", "a CDATA section is not closed"},
      {"<![CDATA[x]]><a/>", "document types and entities are not allowed"},
      {"<?xml <a/>", "an instruction is not closed"},
      {"\n<!DOCTYPE a><a/>", "f:2: document types and entities are not allowed; remove"},
      {"<a><!ENTITY x 'y'></a>", "document types and entities are not allowed"},
      {"<a>&x;</a>", "\"&x;\" is not a character of XML"},
      {"<a>&amp</a>", "is not a character"},
      {"<a b='&#0;'/>", "is not a character"},
      {"<a b='&#xD800;'/>", "is not a character"},
      {"<a b='&#x110000;'/>", "is not a character"},
      {"<a b='&#99999999999999999999;'/>", "is not a character"},
      {"<a b='&#-65;'/>", "is not a character"},
      {"<a b='&#x;'/>", "is not a character"},
      {"<a b='&#1;'/>", "is not a character"},
      {"<a b='\x01'/>", "a control character"}};
  for (const auto& [text, words] : cases) {
    const std::string said = message([t = text] { check_xml(t, "f"); });
    expect_says(said, words);
    expect_says(said, "f:");
    expect_says(said, "; ");
  }
}

TEST(CheckXml, HasLimits) {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "<a>";
    for (int i = 0; i < depth; ++i) text += "</a>";
    return text;
  };
  EXPECT_NO_THROW(check_xml(nested(max_file_depth), "f"));
  EXPECT_THROW(check_xml(nested(max_file_depth + 1), "f"), LimitError);
  std::string many = "<a>";
  for (std::size_t i = 0; i < max_file_nodes; ++i) many += "<b/>";
  EXPECT_THROW(check_xml(many, "f"), LimitError);
}

TEST(XmlEscaped, ReadsBack) {
  const std::string text = "a<b>&\"'\t\r\n\xc3\xa4";
  const XmlFile file("<a b=\"" + xml_escaped(text) + "\"/>", "f");
  EXPECT_EQ(file.root().attribute("b"), text);
  EXPECT_THROW(xml_escaped("\x01"), Error);
  EXPECT_THROW(xml_escaped(std::string(1, '\0')), Error);
  EXPECT_THROW(xml_escaped("\xff"), Error);
}

TEST(XmlFile, IsATreeOfElementsWithLines) {
  const XmlFile file(
      "<?xml version='1.0'?>\n<a x='1'>\n  text <b/><!-- c -->\n  <c y='&lt; 2'\n>\n"
      "<d/></c>\n</a>",
      "f.xml");
  const XmlElement a = file.root(), b = a.first_child(), c = b.next(), d = c.first_child();
  EXPECT_EQ(a.name(), "a");
  EXPECT_EQ(b.name(), "b");
  EXPECT_EQ(c.name(), "c");
  EXPECT_EQ(d.name(), "d");
  EXPECT_FALSE(c.next());
  EXPECT_FALSE(d.first_child());
  EXPECT_EQ(a.attribute("x"), "1");
  EXPECT_EQ(c.attribute("y"), "< 2");
  EXPECT_FALSE(c.attribute("x"));
  EXPECT_EQ(file.line(a), 2);
  EXPECT_EQ(file.line(b), 3);
  EXPECT_EQ(file.line(c), 4);
  EXPECT_EQ(file.line(d), 6);
  EXPECT_EQ(file.place(d), "f.xml:6");
}

TEST(XmlFile, CountsLinesBehindAByteOrderMark) {
  const XmlFile file("\xef\xbb\xbf\n\n<a/>", "f");
  EXPECT_EQ(file.line(file.root()), 3);
}

}  // namespace
}  // namespace axode::test::xml_test
