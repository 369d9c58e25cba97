#include "tests/support/errors.hpp"

#include "axode/core/error.hpp"

namespace axode::test {

std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  ADD_FAILURE() << "no Error";
  return "";
}

void expect_says(const std::string& message, const std::string& words) {
  EXPECT_NE(message.find(words), std::string::npos) << "'" << words << "' not in: " << message;
}

}  // namespace axode::test
