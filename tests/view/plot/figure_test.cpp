#include "axode/view/plot/figure.hpp"

#include <gtest/gtest.h>

namespace axode::test::figure_test {
namespace {

Figure example() {
  Figure figure{100, 50, "a < b", {}};
  figure.parts.emplace_back(FigureStroke{{{1, 2}, {3, 4.5}}, Ink::grid});
  figure.parts.emplace_back(FigureStroke{{{0, 0}, {1, 1}, {2, 0}}, Ink::line_1, 1.5, true, true});
  figure.parts.emplace_back(FigureBox{10, 20, 30, 5, Ink::frame});
  figure.parts.emplace_back(FigureLabel{5, 6, "<x> & \"y\""});
  return figure;
}

TEST(Figure, WritesEachPartAsSvg) {
  const std::string svg = figure_svg(example(), Theme::light);
  EXPECT_NE(svg.find("viewBox=\"0 0 100 50\""), std::string::npos);
  EXPECT_NE(svg.find("<title>a &lt; b</title>"), std::string::npos);
  EXPECT_NE(svg.find("<line x1=\"1\" y1=\"2\" x2=\"3\" y2=\"4.5\" stroke=\"#e6e9ec\"/>"),
            std::string::npos);
  EXPECT_NE(svg.find("<polyline points=\"0,0 1,1 2,0\" fill=\"none\" stroke=\"#0072b2\" "
                     "stroke-width=\"1.5\" stroke-dasharray=\"5 3\""),
            std::string::npos);
  EXPECT_NE(svg.find("<rect x=\"10\" y=\"20\" width=\"30\" height=\"5\""), std::string::npos);
  EXPECT_NE(svg.find(">&lt;x&gt; &amp; &quot;y&quot;</text>"), std::string::npos);
  EXPECT_EQ(svg, figure_svg(example(), Theme::light));
}

TEST(Figure, ThemesChangeColoursOnly) {
  const std::string light = figure_svg(example(), Theme::light);
  const std::string dark = figure_svg(example(), Theme::dark);
  EXPECT_NE(light, dark);
  EXPECT_EQ(light.size(), dark.size());
  // In pages colours are classes, with rules for every ink, and there is no paper.
  const std::string page = figure_svg(example(), Theme::page);
  EXPECT_EQ(page.find('#'), std::string::npos);
  const std::string css = theme_css(Theme::dark);
  for (int ink = 0; ink < all_inks; ++ink)
    EXPECT_NE(css.find(ink_colour(static_cast<Ink>(ink), Theme::dark)), std::string::npos) << ink;
}

TEST(Figure, LineInksRepeat) {
  for (int k = 0; k < 3 * line_inks; ++k) {
    EXPECT_EQ(line_ink(k), line_ink(k + line_inks));
    EXPECT_EQ(line_ink(k) == line_ink(k + 1), false);
  }
}

TEST(Figure, CleansForeignText) {
  EXPECT_EQ(clean_text("a\tb\x7f"), "a b ");
  EXPECT_EQ(clean_text("\xff\xc3\xa9"), "\xef\xbf\xbd\xc3\xa9");       // a stray byte, then e acute
  EXPECT_EQ(clean_text("x\xe2\x80\xaey"), "x\xef\xbf\xbdy");           // right-to-left override
  EXPECT_EQ(clean_text("\xed\xa0\x80").substr(0, 3), "\xef\xbf\xbd");  // half of a surrogate pair
  EXPECT_EQ(xml_text("<'&>"), "&lt;&#39;&amp;&gt;");
}

TEST(Figure, ShortensByCharacters) {
  EXPECT_EQ(shortened("elbow", 5), "elbow");
  EXPECT_EQ(shortened("shoulder_pan", 7), "sho\xe2\x80\xa6pan");
  EXPECT_EQ(shortened("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 3), "\xc3\xa9\xe2\x80\xa6\xc3\xa9");
  EXPECT_EQ(text_width("", 11), 0);
  EXPECT_LT(text_width("iii", 11), text_width("mmm", 11));
  EXPECT_DOUBLE_EQ(text_width("axis", 22), 2 * text_width("axis", 11));
}

}  // namespace
}  // namespace axode::test::figure_test
