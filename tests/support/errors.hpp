/// What an Error says, for tests of bad input.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace axode::test {

/// The message of the Error that f throws; empty, with a failure, if it throws none.
std::string message(const std::function<void()>& f);

/// Fails unless the message holds the words.
void expect_says(const std::string& message, const std::string& words);

}  // namespace axode::test
