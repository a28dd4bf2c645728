// Reads a calendar file with ical.js and prints its events between two instants as JSON:
// [UID, title, start, end, cancelled]. Days are dates, the end exclusive; other times are instants in UTC.
// Usage: node read.mjs FILE FROM TO
import { readFileSync } from "node:fs";
import ICAL from "ical.js";

const [file, from, to] = process.argv.slice(2);
ICAL.design.strict = true;
const calendar = new ICAL.Component(ICAL.parse(readFileSync(file, "utf8")));
for (const zone of calendar.getAllSubcomponents("vtimezone")) {
    ICAL.TimezoneService.register(zone);
}

const moment = (time) => (time.isDate ? time.toString() : time.toJSDate().toISOString().replace(".000Z", "Z"));
const events = [];
const add = (event, start, end) => {
    const [first, last] = [moment(start), moment(end)];
    const cancelled = event.component.getFirstPropertyValue("status") === "CANCELLED";
    if (first < to && last >= from) {
        events.push([event.uid, event.summary ?? "", first, last, cancelled]);
    }
};

// Without the list of exceptions, each event would take those of all others.
const eventOf = (component) => new ICAL.Event(component, { exceptions: [] });
const components = calendar.getAllSubcomponents("vevent").map(eventOf);
const series = new Map();
for (const event of components) {
    if (!event.isRecurrenceException()) {
        if (series.has(event.uid)) throw new Error(`two events have the UID ${event.uid}`);
        series.set(event.uid, event);
    }
}
for (const event of components) {
    if (event.isRecurrenceException()) {
        const master = series.get(event.uid);
        if (!master) throw new Error(`${event.uid} has exceptions, but no event`);
        master.relateException(event);
    }
}
for (const event of series.values()) {
    if (!event.isRecurring()) {
        add(event, event.startDate, event.endDate);
        continue;
    }
    const iterator = event.iterator();
    for (let slot = iterator.next(); slot && moment(slot) < to; slot = iterator.next()) {
        const { item, startDate, endDate } = event.getOccurrenceDetails(slot);
        add(item, startDate, endDate);
    }
}
console.log(JSON.stringify(events));
