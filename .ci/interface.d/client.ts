// Uses the types that openapi-typescript generated from the document, with openapi-fetch: requests and answers are typed.
// node client.js API TOKEN

import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

type Event = components["schemas"]["Event"];

function expect(condition: unknown, what: unknown): asserts condition {
    if (!condition) throw new Error(`not as expected: ${JSON.stringify(what)}`);
}

const [api, token] = process.argv.slice(2);
const anonymous = createClient<paths>({ baseUrl: api });
const admin = createClient<paths>({ baseUrl: api, headers: { Authorization: `Bearer ${token}` } });

const categories: number[] = [];
for (const name of ["Theatre", "Dance"]) {
    const { data, error } = await admin.POST("/categories", { body: { name: `${name} of a client` } });
    expect(data, error);
    categories.push(data.id);
}

// Create; optional fields may be absent.
const least = await admin.POST("/events", {
    body: { title: "Least", start_date: "2032-04-17", end_date: "2032-04-17", categories: [categories[1]] },
});
expect(least.data && least.response.status === 201, least);
const made = await admin.POST("/events", {
    body: {
        title: "By a client",
        start_date: "2032-04-18 09:00",
        end_date: "2032-04-18 12:00",
        categories,
        venue: { venue: "Of a typed client", city: "Oslo" },
        cost: ["€4", 9.5],
        tickets: [{ name: "Seat", price: 12.5, currency: "EUR" }],
    },
});
expect(made.data, made.error);
const event: Event = made.data;
expect(event.cost_details.values.join() === "4,9.5", event.cost_details);
expect(!Array.isArray(event.venue) && event.venue.city === "Oslo", event.venue);
expect(event.image === false, event.image);

// List, with two categories.
const query = { start_date: "2032-01-01", end_date: "2032-12-31" };
for (const [wanted, total] of [[categories, 2], [[categories[0]], 1]] as const) {
    const { data, error } = await anonymous.GET("/events", { params: { query: { ...query, categories: [...wanted] } } });
    expect(data && data.total === total && data.events[data.events.length - 1].id === event.id, error ?? data);
}

// Read, with all fields and with some.
const one = { path: { id: event.id } };
const read = await anonymous.GET("/events/{id}", { params: one });
expect(read.data?.json_ld?.["@type"] === "Event", read.error ?? read.data);
const part = await anonymous.GET("/events/{id}", { params: { ...one, query: { _fields: ["id", "title"] } } });
expect(Object.keys(part.data ?? {}).join() === "id,title", part.data);

// Change; absent fields stay.
const changed = await admin.PATCH("/events/{id}", { params: one, body: { title: "Changed" } });
expect(changed.data?.title === "Changed" && changed.data.cost === event.cost, changed.error ?? changed.data);

// Read a missing record.
const missing = await anonymous.GET("/events/{id}", { params: { path: { id: 999_999 } } });
expect(missing.response.status === 404 && missing.error, missing);
// Problem details, the other format of errors, have no `data`.
expect("data" in missing.error, missing.error);
expect(missing.error.code === "rest-event-not-found" && missing.error.data.status === 404, missing.error);

console.log("openapi-typescript and openapi-fetch: list, read, create, change and 404 are typed values");
