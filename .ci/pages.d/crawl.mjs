// A crawler that obeys nothing: it follows every link of the pages of this host, from `/` on, and must come to an end.
//
//   SITE=http://127.0.0.1:8080 node crawl.mjs docs/data/conferences.jsonl
//
// It requests HTML pages alone. Calendar files, feeds, images and JSON are counted: at most three for each page. Every
// number of the bound is counted from the records of the service, and their days from the file.
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";

const site = process.env.SITE;
const languages = ["ar", "en", "fr"];
const concurrency = 8;
const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
const milliseconds = 86_400_000;
const perPage = 25;

function fetchText(url) {
    return new Promise((resolve, reject) => {
        const request = get(url, { agent, headers: { accept: "text/html", connection: "keep-alive" } }, (response) => {
            let text = "";
            response.setEncoding("utf8");
            response.on("data", (part) => (text += part));
            response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
        });
        request.on("error", reject);
    });
}

/** The number of records of a list. */
async function total(path) {
    const { headers } = await fetchText(`${site}/cal/events/v1/${path}`);
    return Number(headers["x-tec-total"]);
}

/** The days on which an event of the file is, as numbers. */
function daysOf(event) {
    const number = (text) => Math.floor(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / milliseconds);
    const first = number(event.start_date);
    const last = number(event.end_date ?? event.start_date);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The pages of a list of events for each key, of which an event may have several. */
function pagesOf(events, keysOf) {
    const numbers = new Map();
    for (const key of events.flatMap(keysOf)) numbers.set(key, (numbers.get(key) ?? 0) + 1);
    return [...numbers.values()].reduce((sum, number) => sum + Math.ceil(number / perPage), 0);
}

/** The periods with events: days, months, and weeks that begin on Monday or on Saturday, the larger number. */
function periodsOf(events) {
    const days = [...new Set(events.flatMap(daysOf))];
    const count = (of) => new Set(days.map(of)).size;
    // Day 0, in 1970, was a Thursday.
    const weeks = Math.max(...[3, 5].map((shift) => count((day) => Math.floor((day + shift) / 7))));
    const months = count((day) => new Date(day * milliseconds).toISOString().slice(0, 7));
    return { days: days.length, weeks, months };
}

const entities = { amp: "&", quot: '"', lt: "<", gt: ">", "#38": "&", "#34": '"', "#39": "'", "#60": "<", "#62": ">" };
const decode = (text) => text.replace(/&(#?\w+);/g, (whole, name) => entities[name] ?? whole);

/** The links of a page, without fragments, and whether each leads to a page. */
function linksOf(text, base) {
    const links = [];
    for (const [tag] of text.matchAll(/<(?:a|link|img|area|iframe)\b[^>]*>/g)) {
        const target = /\s(?:href|src)="([^"]*)"/.exec(tag);
        if (!target || !URL.canParse(decode(target[1]), base)) continue;
        const url = new URL(decode(target[1]), base);
        url.hash = "";
        if (url.origin !== new URL(site).origin) continue;
        const isTyped = tag.startsWith("<img") || /\stype="(?!text\/html)/.test(tag);
        const isFile = isTyped || /\.\w+$|^\/(?:cal|media|assets)\//.test(url.pathname);
        links.push({ url: url.href, isPage: !isFile });
    }
    return links;
}

async function crawl(bound) {
    const found = new Set([`${site}/`]);
    const files = new Set();
    const faults = [];
    const kinds = new Map();
    let queue = [...found];
    let requests = 0;

    function follow(isPage, url) {
        const known = isPage ? found : files;
        if (known.has(url)) return;
        known.add(url);
        if (isPage) queue.push(url);
    }

    async function visit(url) {
        requests += 1;
        const parts = new URL(url).pathname.split("/").filter((part) => !["", ...languages].includes(part));
        const kind = parts.slice(0, parts[0] === "events" ? 2 : 1).join("/") || "/";
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        const { status, headers, text } = await fetchText(url);
        if (status >= 300 && status < 400) follow(true, new URL(headers.location, url).href);
        else if (status !== 200) faults.push(`${url}: ${status}`);
        else if (!headers["content-type"].startsWith("text/html")) faults.push(`${url}: ${headers["content-type"]}`);
        for (const link of linksOf(text, url)) follow(link.isPage, link.url);
    }

    // One distance from the first page after the other.
    while (queue.length > 0 && requests <= bound) {
        const level = queue.values();
        queue = [];
        const work = async () => {
            for (const url of level) if (requests <= bound) await visit(url);
        };
        await Promise.all(Array.from({ length: concurrency }, work));
    }
    return { requests, files: files.size, faults, kinds: Object.fromEntries([...kinds].sort()) };
}

const lines = readFileSync(process.argv[2], "utf8").trim().split("\n").map((line) => JSON.parse(line));
const everything = "start_date=1970-01-01&end_date=2100-01-01&per_page=1";
const counts = {
    events: await total(`events?${everything}`),
    venues: await total("venues"),
    organizers: await total("organizers"),
    categories: await total("categories?hide_empty=false"),
    tags: await total("tags?hide_empty=false"),
    ...periodsOf(lines),
};
// Upcoming and past events, each with a last page that is not full; further pages of days; the lists of each venue and
// term; the indexes of records, which have at least a page each.
const records = ["venues", "organizers", "categories", "tags"];
counts.lists = Math.ceil(counts.events / perPage) + 2;
counts.lists += pagesOf(lines, daysOf) - counts.days;
counts.lists += pagesOf(lines, ({ venue }) => (venue ? [JSON.stringify(venue)] : []));
counts.lists += pagesOf(lines, ({ categories = [] }) => categories) + pagesOf(lines, ({ tags = [] }) => tags);
counts.lists += records.reduce((sum, name) => sum + Math.ceil(counts[name] / perPage) + 1, 0);
for (const [name, count] of Object.entries(counts))
    if (Number.isNaN(count)) throw new Error(`${name} could not be counted`);
const bound = 3 * Object.values(counts).reduce((sum, count) => sum + count, 0) + 300;
const began = Date.now();
const { requests, files, faults, kinds } = await crawl(bound);
const seconds = Math.round((Date.now() - began) / 1000);
console.log(JSON.stringify({ counts, bound, requests, files, kinds, seconds }));
for (const fault of faults.slice(0, 20)) console.error(fault);
if (requests > bound) throw new Error(`the crawler does not end within ${bound} requests`);
if (files > 3 * requests) throw new Error(`${files} files for ${requests} pages`);
if (faults.length > 0) process.exit(1);
