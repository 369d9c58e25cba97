/// Pages shown in the user's browser.
/// Tests: tests/cli/view_test.py, tests/cli/live_test.py
#pragma once
#include <string>

namespace axode::cli {

/// Whether there is one to open windows on.
bool has_display();
/// Opens a file by $BROWSER or xdg-open where there is a display; whether it could be started.
bool opened(const std::string& file);
/// A name with this stem, ending in .html, in a new folder that only this user may enter. Throws IoError.
std::string temporary_page(const std::string& stem);

}  // namespace axode::cli
