/// Contacts as arguments: axode.dynamics.Contact and lists of them.
#pragma once
#include <vector>

#include "axode/dynamics/contact/contact.hpp"
#include "src/shared/bind.hpp"

namespace axode::python {

/// Looked up in the tree and checked. Throw Error, nb::type_error on other types.
Contact contact_argument(const Tree& tree, nb::handle value);
std::vector<Contact> contacts_argument(const Tree& tree, nb::handle value);

void bind_dynamics_contact_solutions(nb::module_& m);

}  // namespace axode::python
