/// Compares JSON schemas of docs/ with what the readers know.
#pragma once
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "axode/io/text/json_values.hpp"

namespace axode::test {

/// Every key the reader knows is in the schema and described, and none besides.
template <class Objects>
void expect_described(const JsonDocument& schema, const Objects& objects) {
  const JsonValue definitions = schema.root().at("$defs", "");
  for (const auto& object : objects) {
    SCOPED_TRACE(object.kind);
    const JsonValue properties = definitions.at(object.kind, "").at("properties", "");
    std::set<std::string> known, described;
    for (const std::string_view key : object.keys) known.insert(std::string(key));
    for (const JsonValue& property : properties.members()) {
      described.insert(std::string(property.key()));
      EXPECT_FALSE(property.at("description", "").text().empty()) << property.key();
    }
    EXPECT_EQ(known, described);
  }
}

}  // namespace axode::test
