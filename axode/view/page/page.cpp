/// The page of the viewer: viewer/dist/viewer.html, part of the library, with scenes put in.
#include <string_view>

#include "axode/view/page/live.hpp"
#include "axode/view/scene/scene.hpp"

extern "C" {
extern const char axode_viewer_page[];
extern const char axode_viewer_page_end[];
}

namespace axode {

namespace {

std::string filled_page(const std::vector<std::string>& scenes, std::string_view connect_to) {
  const std::string_view page(axode_viewer_page, axode_viewer_page_end - axode_viewer_page);
  std::string data = "{\"scenes\":[";
  for (std::size_t k = 0; k < scenes.size(); ++k) (data += k == 0 ? "" : ",") += scenes[k];
  data += "]}";
  constexpr std::string_view mark = "@DATA@", connect = "@CONNECT@";
  std::string all(page.substr(0, page.find(connect)));
  all += connect_to;
  const std::string_view rest = page.substr(page.find(connect) + connect.size());
  all += rest.substr(0, rest.find(mark));
  all += data;
  all += rest.substr(rest.find(mark) + mark.size());
  return all;
}

}  // namespace

std::string view_page(const std::vector<std::string>& scenes) {
  return filled_page(scenes, "'none'");
}
std::string live_page(const std::string& scene, std::string_view streams) {
  return filled_page({scene}, streams);
}

}  // namespace axode
