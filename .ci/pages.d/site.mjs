// The pages that the checks visit: one of each kind, and the records that they show. `SITE` is the address of the
// service, `TOKEN` a token of an administrator.
export const site = process.env.SITE;
export const languages = ["ar", "en", "fr"];
export const password = "open sesame";

/** The page of the OpenAPI document. */
export const documentPath = "/cal/events/v1/doc";

/** Name, path below the language, and status of each kind of page. */
export const pages = [
    ["month", "/events/month/2090-05/"],
    ["month without events", "/events/month/2090-03/"],
    ["week", "/events/week/2090-05-01/"],
    ["day", "/events/day/2090-05-01/"],
    ["list", "/events/list/"],
    ["past", "/events/past/"],
    ["search with two filters", "/events/list/?search=cleanup&categories=outdoor&tags=volunteers"],
    ["search without result", "/events/list/?search=nothing&tags=volunteers"],
    ["event", "/event/river-cleanup/"],
    ["cancelled event", "/event/cancelled/"],
    ["series", "/event/weekly/"],
    ["occurrence", "/event/weekly/2090-05-09/"],
    ["festival with parts", "/event/festival/"],
    ["locked event", "/event/wedding/"],
    ["venue", "/venue/old-mill/"],
    ["organizer", "/organizer/green-hands/"],
    ["category", "/events/category/outdoor/"],
    ["tag", "/tag/volunteers/"],
    ["venues", "/venues/"],
    ["organizers", "/organizers/"],
    ["categories", "/categories/"],
    ["tags", "/tags/"],
    ["not found", "/event/nothing/", 404],
].map(([name, path, status = 200]) => ({ name, path, status }));

async function create(path, record) {
    const response = await fetch(`${site}/cal/events/v1${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${process.env.TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify(record),
    });
    const answer = await response.json();
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
}

/** Creates the events that the import of `.ci/pages` does not make. */
export async function createRecords() {
    const day = (date) => ({ start_date: `${date} 09:00`, end_date: `${date} 11:00`, timezone: "Europe/Paris" });
    const weekly = { title: "Weekly walk", slug: "weekly", recurrence: "FREQ=WEEKLY;COUNT=6" };
    await create("/events", { ...weekly, ...day("2090-05-02") });
    await create("/events", { title: "Cancelled talk", slug: "cancelled", ...day("2090-05-03"), cancelled: true });
    await create("/events", { title: "Walk in the past", slug: "past", ...day("2020-05-03") });
    const days = { start_date: "2090-05-05", end_date: "2090-05-07", all_day: true };
    const { id } = await create("/events", { title: "Festival", slug: "festival", ...days });
    for (const date of ["2090-05-05", "2090-05-06"])
        await create("/events", { title: `Concert of ${date}`, ...day(date), parent: id });
    for (let number = 1; number <= 30; number += 1)
        await create("/events", { title: `Lecture ${number}`, ...day("2090-05-08"), featured: number === 1 });
}
