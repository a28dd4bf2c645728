#!/usr/bin/env node
// Checks the json_ld of the program against the vocabulary of schema.org: every type must be known, every
// property must be one of its type, every value of a type that the property takes.
//
//     .ci/json-ld.mjs [PROGRAM]
//
// The vocabulary is the npm package schema-dts, schema.org as TypeScript types; the compiler compares.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const PACKAGES = ["schema-dts@2", "typescript@5"];

const program = resolve(process.argv[2] ?? execFileSync(".ci/program", { encoding: "utf8" }).trim());
const tools = resolve(process.env.CARGO_TARGET_DIR ?? "target", "json-ld");
mkdirSync(tools, { recursive: true });
writeFileSync(join(tools, "package.json"), "{}");
execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", "--prefix", tools, ...PACKAGES], {
  stdio: "inherit",
});

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });

const folder = mkdtempSync(join(tmpdir(), "json-ld-"));
const listen = `127.0.0.1:${await freePort()}`;
const env = {
  ...process.env,
  EVENTS_CALENDAR_LISTEN: listen,
  EVENTS_CALENDAR_DATABASE_URL: `sqlite://${join(folder, "calendar.db")}`,
};
const server = spawn(program, ["serve"], { env, stdio: "ignore" });
try {
  await check();
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function check() {
  const api = `http://${listen}/cal/events/v1`;
  for (let tries = 0; ; tries += 1) {
    try {
      await fetch(`${api}/events`);
      break;
    } catch (error) {
      if (tries > 100) throw error;
      await new Promise((later) => setTimeout(later, 100));
    }
  }
  const token = execFileSync(program, ["token", "create", "--user", "admin", "--name", "json-ld"], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

  const call = async (method, path, body) => {
    const headers = { "content-type": "application/json", ...(body && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${api}${path}`, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };

  const types = { events: "Event", venues: "Place", organizers: "Person" };
  const venue = {
    venue: "Old Mill", address: "3 Quai Vert", city: "Lyon", province: "ARA", country: "France", zip: "69002",
    phone: "+33 4", website: "https://mill.example/", description: "At the river.", geo_lat: 45.75, geo_lng: 4.85,
  };
  const organizer = {
    organizer: "Green Hands", email: "hello@green.example", phone: "+33 4", website: "https://green.example/",
    description: "Volunteers.",
  };
  const ticket = { name: "Seat", price: "12.50", currency: "EUR" };
  const timed = { available_from: "2027-01-10", available_until: "2027-04-01", url: "https://tickets.example/" };
  const day = { title: "Event", start_date: "2027-04-17 09:00", end_date: "2027-04-17 12:00" };
  const sent = [
    ...[
      {},
      { venue, organizer: [organizer, { organizer: "Others" }], description: "Bring <b>gloves</b>.", excerpt: "Short." },
      { venue: { venue: "Nameless place" }, timezone: "America/New_York", all_day: true },
      ...["0", "Free", "donation", "10-20", "15,50 €", "USD 20", "$5"].map((cost) => ({ cost })),
      { cost: "20", currency: "CHF" },
      { tickets: [ticket] },
      { tickets: [ticket, { ...ticket, ...timed, price: "0" }], cost: "5" },
    ].map((fields) => ["events", { ...day, ...fields }]),
    ["venues", venue],
    ["venues", { venue: "Bare" }],
    ["organizers", organizer],
    ["organizers", { organizer: "Bare" }],
  ];

  const lines = [`import type { ${Object.values(types).join(", ")} } from "schema-dts";`];
  for (const [kind, fields] of sent) {
    const made = await call("POST", `/${kind}`, fields);
    const { "@context": context, ...ld } = (await call("GET", `/${kind}/${made.id}`)).json_ld;
    const wanted = kind === "events" ? "http://schema.org" : undefined;
    if (context !== wanted) throw new Error(`@context of ${kind} is ${context}`);
    // The word that clients of this interface know; schema.org spells it with a capital letter.
    if (ld.offers?.availability === "inStock") ld.offers.availability = "InStock";
    lines.push(`export const record${lines.length}: ${types[kind]} = ${JSON.stringify(ld)};`);
  }
  // The page of a series describes each of its next dates as an event of its own, and no event that lasts for years.
  const year = new Date().getFullYear() + 1;
  const times = { start_date: `${year}-04-17 09:00`, end_date: `${year}-04-17 12:00`, recurrence: "FREQ=WEEKLY" };
  const series = await call("POST", "/events", { ...day, ...times, title: "Weekly", venue, description: "Bring <b>gloves</b>." });
  const page = await (await fetch(series.url)).text();
  const dates = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)[1]);
  if (dates.length !== 10) throw new Error(`the page of the series describes ${dates.length} dates`);
  for (const { "@context": context, ...ld } of dates) {
    if (context !== "http://schema.org" || ld["@type"] !== "Event") throw new Error(JSON.stringify(ld));
    if (ld.startDate.slice(0, 10) !== ld.endDate.slice(0, 10)) throw new Error(`a date lasts until ${ld.endDate}`);
    lines.push(`export const record${lines.length}: Event = ${JSON.stringify(ld)};`);
  }
  // Invalid values, which the check must reject.
  for (const bad of ['"nme": "x"', '"startDate": 5', '"offers": { "@type": "Offer", "availability": "some" }', '"location": { "@type": "Plaice" }']) {
    lines.push("// @ts-expect-error", `export const bad${lines.length}: Event = { "@type": "Event", ${bad} };`);
  }
  writeFileSync(join(tools, "check.ts"), `${lines.join("\n")}\n`);
  execFileSync(process.execPath, [join(tools, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--skipLibCheck", "check.ts"], {
    cwd: tools,
    stdio: "inherit",
  });
  console.log(`${sent.length} records and ${dates.length} dates of a series are valid in the vocabulary of schema.org`);
}
