"""What the generator of requests cannot know of the interface."""

import schemathesis

# As many records of each kind are there before the check begins; see `.ci/interface`.
RECORDS = 40


@schemathesis.hook
def before_call(context, case, kwargs):
    # Both change the form of the answer, which a schema cannot say depends on a parameter.
    for name in ("_fields", "_envelope"):
        if case.query:
            case.query.pop(name, None)
    # Most numbers name no record: bring half of them to where records are.
    path = case.path_parameters or {}
    number = path.get("id")
    if isinstance(number, int) and not isinstance(number, bool) and number > 0 and number % 2 == 0:
        path["id"] = 1 + number % RECORDS
    slug = path.get("slug")
    if isinstance(slug, str) and len(slug) % 2 == 0:
        path["slug"] = f"record-{1 + sum(map(ord, slug)) % RECORDS}"
