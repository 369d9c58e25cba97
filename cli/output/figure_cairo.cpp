#include "cli/output/figure_cairo.hpp"

#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <memory>

#include "axode/core/error.hpp"

namespace axode::cli {

namespace {

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Pen = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

cairo_status_t append_bytes(void* closure, const unsigned char* bytes, unsigned count) {
  static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

void check_status(cairo_status_t status) {
  if (status == CAIRO_STATUS_SUCCESS) return;
  throw Error(fmt::format("the figure cannot be drawn: {}", cairo_status_to_string(status)), {},
              "make it smaller, or write SVG");
}

void dip(cairo_t* pen, Ink ink, Theme theme) {
  unsigned rgb = 0;
  const std::string_view hex = ink_colour(ink, theme).substr(1);
  std::from_chars(hex.data(), hex.data() + hex.size(), rgb, 16);
  cairo_set_source_rgb(pen, (rgb >> 16) / 255.0, (rgb >> 8 & 255U) / 255.0, (rgb & 255U) / 255.0);
}

/// Rulers of one unit lie on pixels, not between them.
double ruled(const FigureStroke& stroke, double x) {
  return stroke.is_curve || stroke.width != 1 ? x : std::floor(x) + 0.5;
}

void draw(cairo_t* pen, const FigureStroke& stroke, Theme theme) {
  dip(pen, stroke.ink, theme);
  cairo_set_line_width(pen, stroke.width);
  const double dashes[] = {5, 3};
  cairo_set_dash(pen, dashes, stroke.dashed ? 2 : 0, 0);
  cairo_new_path(pen);  // texts leave a point behind
  for (const FigurePoint& p : stroke.points)
    cairo_line_to(pen, ruled(stroke, p.x), ruled(stroke, p.y));
  if (stroke.points.size() == 1) cairo_close_path(pen);
  cairo_stroke(pen);
}

void draw(cairo_t* pen, const FigureBox& box, Theme theme) {
  dip(pen, box.ink, theme);
  cairo_set_line_width(pen, 1);
  cairo_set_dash(pen, nullptr, 0, 0);
  cairo_new_path(pen);
  if (box.is_filled) {
    cairo_rectangle(pen, box.x, box.y, box.width, box.height);
    cairo_fill(pen);
    return;
  }
  const double x = std::floor(box.x) + 0.5, y = std::floor(box.y) + 0.5;
  cairo_rectangle(pen, x, y, std::floor(box.x + box.width) + 0.5 - x,
                  std::floor(box.y + box.height) + 0.5 - y);
  cairo_stroke(pen);
}

void draw(cairo_t* pen, const FigureLabel& label, Theme theme) {
  const std::string text = clean_text(label.text);
  cairo_select_font_face(pen, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         label.is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(pen, label.size);
  dip(pen, label.ink, theme);
  cairo_text_extents_t extents;
  cairo_text_extents(pen, text.c_str(), &extents);
  const double share = label.anchor == FigureAnchor::start    ? 0
                       : label.anchor == FigureAnchor::middle ? 0.5
                                                              : 1;
  cairo_save(pen);
  cairo_translate(pen, label.x, label.y);
  if (label.is_upright) cairo_rotate(pen, -M_PI / 2);
  cairo_move_to(pen, -share * extents.x_advance, 0);
  cairo_show_text(pen, text.c_str());
  cairo_restore(pen);
}

void draw_all(const Surface& surface, const Figure& figure, Theme theme, double scale) {
  const Pen pen(cairo_create(surface.get()), cairo_destroy);
  cairo_scale(pen.get(), scale, scale);
  cairo_set_line_cap(pen.get(), CAIRO_LINE_CAP_ROUND);
  cairo_set_line_join(pen.get(), CAIRO_LINE_JOIN_ROUND);
  draw(pen.get(), FigureBox{0, 0, figure.width, figure.height, Ink::paper, true}, theme);
  for (const auto& part : figure.parts)
    std::visit([&](const auto& p) { draw(pen.get(), p, theme); }, part);
  check_status(cairo_status(pen.get()));
}

}  // namespace

std::string figure_png(const Figure& figure, Theme theme, double scale) {
  std::string bytes;
  const Surface surface(cairo_image_surface_create(
                            CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(figure.width * scale)),
                            static_cast<int>(std::lround(figure.height * scale))),
                        cairo_surface_destroy);
  check_status(cairo_surface_status(surface.get()));
  draw_all(surface, figure, theme, scale);
  check_status(cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes));
  return bytes;
}

std::string figure_pdf(const Figure& figure, Theme theme) {
  constexpr double points = 0.75;  // 72 an inch
  std::string bytes;
  const Surface surface(cairo_pdf_surface_create_for_stream(
                            append_bytes, &bytes, figure.width * points, figure.height * points),
                        cairo_surface_destroy);
  check_status(cairo_surface_status(surface.get()));
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE,
                                 clean_text(figure.title).c_str());
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
  draw_all(surface, figure, theme, points);
  cairo_surface_finish(surface.get());
  check_status(cairo_surface_status(surface.get()));
  return bytes;
}

}  // namespace axode::cli
