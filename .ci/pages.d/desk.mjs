// Walks over the desk as people use it: from the first start to a published event with a poster, two editors at once, previews, a
// bulk move to the trash and back, texts from word processors, texts that were not saved, a picture that is cropped, the name and colour of the site; a proposal that is withdrawn; and
// sign-in, creation, a remark and publication with script and without. `SITE` is the address of a service that has just started, `INVITATION` the file with the address at which
// the administrator chooses a password, `INVITE` a command that prints such an address for the user that is its argument.
// With `PICTURES`, a folder, pictures of the desk are stored there.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTab, withBrowser } from "./browser.mjs";

const { SITE: site, INVITATION, INVITE, POSTER, PICTURES } = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const widths = [320, 1200];
const options = {
    preload: false,
    resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    rules: { "target-size": { enabled: true } },
};
const secret = "a walk of the desk";

/** The button that saves a form. */
const SAVE = "main form button:not([type=button]):not([name])";

const faults = new Set();
const holds = (what, held) => held || faults.add(what);
let runs = 0;

/** axe-core on the open page, narrow and wide, in light and dark. */
async function examine(tab, where) {
    await tab.evaluate(axe);
    for (const width of widths) {
        await tab.setViewport({ width, height: 900 });
        for (const value of ["light", "dark"]) {
            await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value }]);
            runs += 1;
            const { violations } = await tab.evaluate((given) => window.axe.run(document, given), options);
            for (const { id, nodes } of violations)
                for (const node of nodes.slice(0, 3))
                    faults.add(`${where} ${width} ${value}: ${id}: ${node.target.join(" ")}: ${node.failureSummary.replace(/\s+/g, " ")}`);
        }
        const wider = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        holds(`${where}: ${wider} pixels wider than ${width}`, wider <= 0);
    }
    await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
}

async function picture(tab, name, { fromTop = true } = {}) {
    if (!PICTURES) return;
    await tab.setViewport({ width: 1000, height: 800 });
    if (fromTop) await tab.evaluate(() => scrollTo(0, 0));
    await tab.screenshot({ path: join(PICTURES, `${name}.webp`), fullPage: false });
}

/** Sends the form of a button, and waits for the page that follows. */
async function press(tab, selector) {
    await Promise.all([tab.waitForNavigation(), tab.click(selector)]);
}

async function fill(tab, values) {
    for (const [selector, value] of Object.entries(values))
        await tab.$eval(selector, (input, text) => {
            input.value = text;
            input.dispatchEvent(new Event("input", { bubbles: true }));
        }, value);
}

const text = (tab, selector = "main") => tab.$eval(selector, (one) => one.innerText);

/** Chooses a password at the address of an invitation. */
async function accept(tab, address) {
    await tab.goto(address.trim());
    await fill(tab, { "[name=password]": secret, "[name=again]": secret });
    await press(tab, "main form button");
}

async function signIn(tab, name) {
    await tab.goto(`${site}/desk`);
    await fill(tab, { "[name=login]": name, "[name=password]": secret });
    await press(tab, "main form button");
}

const invitation = (name) => execFileSync("sh", ["-c", INVITE, "invite", name], { encoding: "utf8" }).match(/http\S+/)[0];

/** A browser of its own, as of another person. */
async function person(browser, { hasScript = true } = {}) {
    const context = await browser.createBrowserContext();
    const { tab, messages } = await openTab(context);
    await tab.setExtraHTTPHeaders({ "accept-language": "en" });
    await tab.setJavaScriptEnabled(hasScript);
    await tab.setViewport({ width: widths[1], height: 900 });
    return { tab, messages, context };
}

async function event(tab, values) {
    await tab.goto(`${site}/desk/event/new`);
    await fill(tab, values);
    await press(tab, SAVE);
}

/** First start, first password, first event with a poster. */
async function firstEvent({ tab }) {
    const begin = Date.now();
    await accept(tab, readFileSync(INVITATION, "utf8"));
    holds("the desk after the first password", tab.url().endsWith("/desk"));
    await examine(tab, "empty list");
    await tab.goto(`${site}/desk/event/new`);
    await examine(tab, "new event");
    await tab.setViewport({ width: widths[1], height: 900 });
    await fill(tab, {
        "#title": "Summer party", "#start_date": "2090-07-01T18:00", "#end_date": "2090-07-01T23:00", "#venue": "Old Mill",
        "#image_alt": "Lanterns in a garden",
    });
    await tab.focus(".ProseMirror");
    await tab.keyboard.type("Bring a lantern.");
    await (await tab.$("#image")).uploadFile(POSTER);
    await tab.select("#status", "publish");
    await picture(tab, "desk-event");
    await press(tab, SAVE);
    holds("the event is saved", /Saved/.test(await text(tab)));
    await examine(tab, "saved event");
    const view = await tab.$eval("main a[href*='/event/']", (one) => one.href);
    await tab.goto(view);
    holds("the public page has the text", (await text(tab)).includes("Bring a lantern."));
    holds("the public page has the poster", await tab.$eval("main img", (one) => one.naturalWidth > 0 && one.alt === "Lanterns in a garden"));
    const seconds = (Date.now() - begin) / 1000;
    console.log(`from the first start to a published event with a poster: ${seconds.toFixed(1)} s`);
    holds("a published event within two minutes", seconds < 120);
}

/** Texts as word processors put them into the clipboard. */
const pasted = {
    "Google Docs": [
        '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="margin:0"><span style="font-weight:700">Bold</span><span style="font-style:italic"> slanted</span></p><ul><li dir="ltr"><p><span style="font-weight:400">One</span></p></li></ul></b>',
        "<p><strong>Bold</strong><em> slanted</em></p>\n<ul><li>One</li></ul>",
    ],
    Word: [
        "<html><head><style>p{margin:0}</style></head><body lang=FR><p class=MsoNormal>Hello <b>all</b><o:p></o:p></p>" +
        "<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·<span>   </span></span>One</p>" +
        "<p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>1.</span>Below</p>" +
        "<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><span style='mso-list:Ignore'>·</span>Two</p></body></html>",
        "<p>Hello <b>all</b></p>\n<ul><li><p>One</p><ol><li>Below</li></ol></li><li>Two</li></ul>",
    ],
    "a page": [
        '<h2 class="x">Title</h2><p style="color:red">A <a href="https://town.example/" onclick="x()">link</a><script>alert(1)</script></p><table><tbody><tr><td>1</td></tr></tbody></table>',
        '<h2>Title</h2>\n<p>A <a href="https://town.example/">link</a></p>\n<table><tbody><tr><td>1</td></tr></tbody></table>',
    ],
};

/** Nothing that was typed or pasted is lost by the filter of the service. */
async function richText({ tab }) {
    const paste = (html) => tab.evaluate((given) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/html", given);
        document.querySelector(".ProseMirror").dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, html);
    const plain = (html) => html.replaceAll("<li><p>", "<li>").replaceAll("</p><ol>", "<ol>").replace(/\s*\n\s*/g, "");
    for (const [source, [html, expected]] of Object.entries(pasted)) {
        await tab.goto(`${site}/desk/event/new`);
        await fill(tab, { "#title": `Pasted from ${source}`, "#start_date": "2090-08-01T18:00", "#end_date": "2090-08-01T19:00" });
        await paste(html);
        const shown = await tab.$eval("#description", (one) => one.value);
        holds(`pasted from ${source}: ${shown}`, plain(shown) === plain(expected));
        await press(tab, SAVE);
        const stored = await tab.$eval("#description", (one) => one.value);
        holds(`stored from ${source}: ${stored}`, plain(stored) === plain(shown));
        holds(`the editor takes its own text from ${source}`, await tab.$(".ProseMirror"));
    }
    await tab.goto(`${site}/desk/event/new`);
    await tab.focus(".ProseMirror");
    await tab.keyboard.type("Loud");
    for (const key of ["a", "b"]) {
        await tab.keyboard.down("Control");
        await tab.keyboard.press(key);
        await tab.keyboard.up("Control");
    }
    holds("the editor takes the place of the text area", (await (await tab.$("#description")).boundingBox()) === null);
    holds("Ctrl+B", (await tab.$eval("#description", (one) => one.value)) === "<p><strong>Loud</strong></p>");
    await tab.click("[data-control=bullets]");
    holds("a list by its button", (await tab.$eval("#description", (one) => one.value)) === "<ul><li><strong>Loud</strong></li></ul>");
    await tab.focus(".toolbar button");
    await tab.keyboard.press("ArrowRight");
    holds("the arrow keys walk over the buttons", await tab.evaluate(() => document.activeElement.dataset.control === "italic"));
    // Elements that the editor does not know stay in the text area.
    await tab.click(".toolbar > button:last-child");
    await fill(tab, { "#description": "<div>Text <p>and a paragraph</p></div>" });
    await tab.click(".toolbar > button:last-child");
    holds("a text that the editor would change stays", (await tab.$(".ProseMirror")) === null);
}

/** Two people change the same event. */
async function twoAtOnce(browser, { tab }) {
    const other = await person(browser);
    await signIn(other.tab, "admin");
    await event(tab, { "#title": "Shared", "#start_date": "2090-09-01T18:00", "#end_date": "2090-09-01T19:00" });
    const address = tab.url().split("?")[0];
    await tab.goto(address);
    await other.tab.goto(address);
    await fill(other.tab, { "#title": "Shared by the other" });
    await press(other.tab, SAVE);
    await fill(tab, { "#title": "Shared by me" });
    await press(tab, SAVE);
    const page = await text(tab);
    holds("the conflict is told", page.includes("Somebody else changed this event"));
    holds("the stored version is shown", page.includes("Shared by the other"));
    holds("what was typed is kept", (await tab.$eval("#title", (one) => one.value)) === "Shared by me");
    await examine(tab, "conflict");
    await picture(tab, "desk-conflict");
    await press(tab, SAVE);
    await tab.goto(address);
    holds("the second try is saved", (await tab.$eval("#title", (one) => one.value)) === "Shared by me");
    await other.context.close();
}

/** A weekly class whose third evening begins an hour later. */
async function weekly({ tab }) {
    await tab.goto(`${site}/desk/event/new`);
    await fill(tab, {
        "#title": "Evening class", "#start_date": "2090-09-05T19:00", "#end_date": "2090-09-05T20:30", "#every": "1", "#times": "10",
    });
    await tab.select("#repeats", "weekly");
    await tab.click("[name=ends][value=count]");
    await press(tab, "button[value=dates]");
    const preview = await text(tab);
    holds(`the preview: ${preview.slice(0, 400)}`, /every week/i.test(preview) && preview.includes("12 September 2090"));
    await examine(tab, "preview of a series");
    await picture(tab, "desk-series");
    await tab.select("#status", "publish");
    await press(tab, SAVE);
    const series = tab.url().split("?")[0];
    await tab.goto(`${series}/dates`);
    await examine(tab, "dates of a series");
    const third = await tab.$$eval("tbody a", (all) => all[2].href);
    await tab.goto(third);
    await examine(tab, "a date of a series");
    await fill(tab, { "#start_date": "2090-09-19T20:00", "#end_date": "2090-09-19T21:30" });
    await tab.click("[name=scope][value=this]");
    await press(tab, SAVE);
    await tab.goto(`${site}/en/events/list/?search=class&start_date=2090-09-01&end_date=2090-12-31`);
    const times = await tab.$$eval("main time", (all) => all.map((one) => one.getAttribute("datetime")).filter((one) => /T/.test(one)));
    holds(`one evening is moved: ${times}`, times.some((one) => one.startsWith("2090-09-19T20:00")) && times.some((one) => one.startsWith("2090-09-26T19:00")));
}

/** French texts beside the English ones. */
async function translation({ tab }) {
    await tab.goto(`${site}/desk/events/mine?search=Summer`);
    const form = await tab.$eval("tbody a", (one) => one.href.split("?")[0]);
    await tab.goto(`${form}/translations`);
    await examine(tab, "translations");
    await picture(tab, "desk-translations");
    await fill(tab, { "#title-fr": "Fête d’été" });
    const editor = await tab.$eval("#description-ar-editor", (one) => [one.lang, getComputedStyle(one).direction]);
    holds(`the Arabic editor: ${editor}`, editor.join() === "ar,rtl");
    await tab.focus("#description-fr-editor");
    await tab.keyboard.type("Apportez une lanterne.");
    await press(tab, "section:has(#title-fr) button:not([type=button]):not([name])");
    const shown = await tab.goto(`${site}/fr/event/summer-party/`);
    holds("the French page has the French title", shown.ok() && (await text(tab, "h1")).includes("Fête d’été"));
    holds("the French page has the French text", (await text(tab)).includes("Apportez une lanterne."));
}

/** A table of events, rehearsed and then stored. */
async function table({ tab }) {
    const rows = "title,start_date,end_date\nConcert,2090-11-01 20:00,2090-11-01 22:00\nReading,2090-11-02 20:00,2090-11-02 22:00\nBroken,never,never\n";
    const path = join(mkdtempSync(join(tmpdir(), "events-calendar-table.")), "events.csv");
    writeFileSync(path, rows);
    await tab.goto(`${site}/desk/imports`);
    await examine(tab, "imports");
    await (await tab.$("#file")).uploadFile(path);
    await press(tab, "button[name=action][value=rehearse]");
    await examine(tab, "report of an import");
    holds("the report names the refused row", /4/.test(await text(tab, "table + h2 + .scroll, .scroll")));
    await press(tab, "button[name=action][value=import]");
    await tab.goto(`${site}/desk/events/all?search=Concert`);
    holds("the rows are stored", (await text(tab)).includes("Concert"));
    rmSync(join(path, ".."), { recursive: true });
}

/** The other pages. */
async function others({ tab }) {
    for (const path of ["venues", "venues/new", "organizers", "categories", "categories/new", "tags", "images", "duplicates", "sources", "sources/new", "users", "users/new", "feeds", "trail", "event/fill", "events/still-right"]) {
        const response = await tab.goto(`${site}/desk/${path}`);
        holds(`${path}: ${response.status()}`, response.status() === 200);
        await examine(tab, path);
    }
    await tab.goto(`${site}/desk/venues`);
    await tab.goto(await tab.$eval("tbody a", (one) => one.href));
    await examine(tab, "a venue");
    await fill(tab, { "#city": "Lyon" });
    await press(tab, SAVE);
    await press(tab, "main a[href$='/history']");
    holds("the history has the change", (await text(tab, ".entries")).includes("Lyon"));
    await examine(tab, "history");
    await picture(tab, "desk-history");
    await press(tab, "button[name=revision]");
    await examine(tab, "restoration");
    await press(tab, "button[name=confirmed]");
    holds("the state is restored", (await tab.$eval("#city", (one) => one.value)) === "" && /Restored/.test(await text(tab)));
    await tab.goto(`${site}/desk/trail`);
    await picture(tab, "desk-trail");
    await tab.goto(`${site}/desk/trail?user=nobody`);
    await examine(tab, "faults of the trail");
    await tab.goto(`${site}/desk/account`);
    await press(tab, "form[action$='/second-factor'] button");
    await examine(tab, "second factor");
}

/** All drafts go to the trash, and come back. */
async function bulk({ tab }) {
    await tab.goto(`${site}/desk/events/mine`);
    await examine(tab, "list");
    await picture(tab, "desk-list");
    const rows = () => tab.$$eval("tbody tr", (all) => all.length);
    const before = await rows();
    for (const box of await tab.$$("tbody input[type=checkbox]")) await box.click();
    await press(tab, "button[value=trash]");
    await examine(tab, "confirmation");
    await press(tab, "main form button:not(.quiet)");
    holds("all rows are in the trash", (await rows()) === 0);
    const undo = await tab.$$("main form button");
    for (const button of undo)
        if (/Undo/.test(await button.evaluate((one) => one.textContent))) {
            await Promise.all([tab.waitForNavigation(), button.click()]);
            break;
        }
    await tab.goto(`${site}/desk/events/mine`);
    holds("all rows are back", (await rows()) === before);
}

/** Types a date and time, also without script: a date is typed by its parts, which differ by the language of the browser. */
async function date(tab, selector, value) {
    const input = await tab.$(selector);
    await input.evaluate((one, given) => (one.value = given), value);
}

/** A contributor writes, an editor returns it with a remark, and publishes what is sent again. */
async function review(browser, address, { hasScript }) {
    const title = hasScript ? "Reading of tales" : "Reading of poems";
    const contributor = await person(browser, { hasScript });
    if (address) {
        await contributor.tab.goto(address);
        await contributor.tab.type("[name=password]", secret);
        await contributor.tab.type("[name=again]", secret);
    } else {
        await contributor.tab.goto(`${site}/desk`);
        await contributor.tab.type("[name=login]", "grace");
        await contributor.tab.type("[name=password]", secret);
    }
    await press(contributor.tab, "main form button");
    await contributor.tab.goto(`${site}/desk/event/new`);
    await contributor.tab.type("#title", title);
    await contributor.tab.type(hasScript ? ".ProseMirror" : "#description", "Read by the river.");
    await date(contributor.tab, "#start_date", "2090-10-01T18:00");
    await date(contributor.tab, "#end_date", "2090-10-01T19:00");
    await contributor.tab.select("#status", "pending");
    await press(contributor.tab, SAVE);
    holds(`${title}: a contributor saves`, /Saved/.test(await text(contributor.tab)));
    holds(`${title}: a contributor chooses no picture`, (await contributor.tab.$("#image")) === null);
    const form = contributor.tab.url().split("?")[0];

    const editor = await person(browser, { hasScript });
    await editor.tab.goto(`${site}/desk`);
    await editor.tab.type("[name=login]", "admin");
    await editor.tab.type("[name=password]", secret);
    await press(editor.tab, "main form button");
    await editor.tab.goto(`${site}/desk/events/pending`);
    holds(`${title}: the event waits`, (await text(editor.tab)).includes(title));
    await editor.tab.goto(form);
    if (hasScript) await examine(editor.tab, "review");
    await editor.tab.type("#remark", "Which river?");
    await press(editor.tab, "button[value=return]");
    await contributor.tab.goto(form);
    holds(`${title}: the remark is shown`, (await text(contributor.tab)).includes("Which river?"));
    if (hasScript) await examine(contributor.tab, "returned event");
    await contributor.tab.select("#status", "pending");
    await press(contributor.tab, SAVE);
    await editor.tab.goto(`${site}/desk/events/pending`);
    await editor.tab.click("tbody input[type=checkbox]");
    await press(editor.tab, "button[value=publish]");
    await press(editor.tab, "main form button:not(.quiet)");
    const response = await editor.tab.goto(`${site}/event/${title.toLowerCase().replaceAll(" ", "-")}/`);
    holds(`${title}: the event is public`, response.status() === 200 && (await text(editor.tab)).includes("by the river."));
    for (const one of [contributor, editor]) {
        for (const message of one.messages) faults.add(`${title}: ${message}`);
        await one.context.close();
    }
}

/** A visitor proposes an event without script, and withdraws it. */
async function proposal(browser, { tab }) {
    const visitor = await person(browser, { hasScript: false });
    await visitor.tab.goto(`${site}/propose`);
    await visitor.tab.type("#title", "Picnic of neighbours");
    await date(visitor.tab, "#start_date", "2090-10-02T12:00");
    await date(visitor.tab, "#end_date", "2090-10-02T15:00");
    await press(visitor.tab, "main form button");
    const address = await visitor.tab.$eval(".notice a", (one) => one.href);
    for (const [url, where] of [[`${site}/propose`, "propose"], [address, "a proposal"]]) {
        await tab.goto(url);
        await examine(tab, where);
    }
    const waits = async () => {
        await tab.goto(`${site}/desk/events/pending`);
        return (await text(tab)).includes("Picnic of neighbours");
    };
    holds("the proposal waits", await waits());
    await visitor.tab.goto(address);
    await press(visitor.tab, "main form button");
    holds("the proposal is withdrawn", /withdrawn/.test(await text(visitor.tab)) && !(await waits()));
    for (const message of visitor.messages) faults.add(`proposal: ${message}`);
    await visitor.context.close();
}

/** The form comes back with the picture that was chosen, and the page is seen before it is stored. */
async function previews({ tab }) {
    await tab.goto(`${site}/desk/event/new`);
    await fill(tab, {
        "#title": "Winter party", "#start_date": "2090-12-01T18:00", "#end_date": "2090-12-01T23:00", "#venue": "Old Mill",
        "#image_alt": "Snow", "#timezone": "Nowhere",
    });
    await tab.focus(".ProseMirror");
    await tab.keyboard.type("Bring a sledge.");
    await (await tab.$("#image")).uploadFile(POSTER);
    await press(tab, "button[value=page]");
    holds("a bad zone is told", (await tab.$("#faults a[href='#timezone']")) !== null);
    await examine(tab, "faults and a picture");
    await picture(tab, "desk-kept-picture");
    await fill(tab, { "#timezone": "Europe/Paris" });
    await press(tab, "button[value=page]");
    holds("the preview has title, text and picture", await tab.evaluate(() =>
        document.querySelector("h1").innerText === "Winter party" && document.querySelector("main").innerText.includes("Bring a sledge.")
        && document.querySelector("main img").naturalWidth > 0));
    await examine(tab, "preview of a page");
    await picture(tab, "desk-preview");
    await press(tab, ".back button");
    holds("the way back keeps the text", (await tab.$eval("#description", (one) => one.value)).includes("Bring a sledge."));
    holds("the way back keeps the picture", (await tab.$eval(".picture", (one) => one.naturalWidth > 0 && one.alt)) === "Snow");
    await press(tab, SAVE);
    holds("the picture is saved", /Saved/.test(await text(tab)) && (await tab.$("[name=remove_image]")) !== null);
}

/** What was typed and not saved is offered again, until the person signs out. */
async function drafts(browser) {
    const { tab, messages, context } = await person(browser);
    await signIn(tab, "admin");
    const kept = () => tab.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("desk-draft:")).length);
    const isOffered = () => tab.$eval("#draft", (one) => !one.hidden);
    const type = async () => {
        await tab.goto(`${site}/desk/event/new`);
        await fill(tab, { "#title": "Lost and found", "#password": "open sesame" });
        await tab.click("[name=featured]");
        await tab.focus(".ProseMirror");
        await tab.keyboard.type("A long text.");
    };
    await type();
    await tab.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith("desk-draft:")));
    holds("no password is kept", await tab.evaluate(() => !JSON.stringify({ ...localStorage }).includes("sesame")));
    await tab.goto(`${site}/desk/event/new`);
    holds("a draft is offered", await isOffered());
    await examine(tab, "a draft");
    await picture(tab, "desk-draft");
    await tab.click("[name=restore]");
    const restored = await tab.evaluate(() => [
        document.querySelector("#title").value, document.querySelector("[name=featured]").checked,
        document.querySelector(".ProseMirror").innerText, document.querySelector("#description").value,
    ]);
    holds(`restored: ${restored}`, restored.join() === "Lost and found,true,A long text.,<p>A long text.</p>");
    await fill(tab, { "#start_date": "2090-11-01T18:00", "#end_date": "2090-11-01T19:00" });
    await press(tab, SAVE);
    holds("a saved text is kept no longer", /Saved/.test(await text(tab)) && (await kept()) === 0);
    await type();
    await tab.goto(`${site}/desk/event/new`);
    await tab.click("[name=discard]");
    holds("a discarded text is kept no longer", (await kept()) === 0 && !(await isOffered()));
    await type();
    // A text is also kept when the page is left at once.
    await tab.goto(`${site}/desk`);
    holds("the text is kept", (await kept()) === 1);
    await tab.goto(`${site}/desk/event/new`);
    await fill(tab, { "#title": "Typed just before" });
    await press(tab, ".person button");
    holds("signing out clears the browser", (await kept()) === 0);
    for (const message of messages) faults.add(`drafts: ${message}`);
    await context.close();
}

/** The lower half of a picture is cut off by drawing, and stored. */
async function crop({ tab }) {
    await tab.goto(`${site}/desk/images`);
    await tab.goto(await tab.$eval(".library a", (one) => one.href));
    const [width, height] = await tab.$eval(".picture", (one) => [one.naturalWidth, one.naturalHeight]);
    await tab.click(".crop summary");
    const canvas = await tab.waitForSelector(".crop canvas:not([hidden])");
    await canvas.scrollIntoView();
    const box = await canvas.boundingBox();
    await tab.mouse.move(box.x + 1, box.y + 1);
    await tab.mouse.down();
    await tab.mouse.move(box.x + box.width - 1, box.y + box.height / 2, { steps: 4 });
    await tab.mouse.up();
    const margins = await tab.$$eval(".crop input", (all) => all.map((one) => Number(one.value)));
    holds(`the drawn margins: ${margins}`, margins.every((one, side) => Math.abs(one - [0, 0, 0, 50][side]) <= 1));
    await examine(tab, "a picture to crop");
    await picture(tab, "desk-crop", { fromTop: false });
    await press(tab, "button[value=crop]");
    const part = await tab.$eval(".picture", (one) => [one.naturalWidth, one.naturalHeight]);
    holds(`a part of ${width} by ${height}: ${part}`, part[0] > 0.98 * width && Math.abs(part[1] - height / 2) < 0.02 * height);
}

/** An administrator changes the name and the colour of the site, after a fault. */
async function face({ tab }) {
    await tab.goto(`${site}/desk/site`);
    await examine(tab, "site");
    await picture(tab, "desk-site");
    await fill(tab, { "#site-name": "Town calendar", "#site-colour": "#ffff00" });
    await press(tab, SAVE);
    holds("a colour without contrast is told", (await tab.$("#faults a[href='#site-colour']")) !== null);
    holds("the name is kept", (await tab.$eval("#site-name", (one) => one.value)) === "Town calendar");
    await examine(tab, "faults of the site");
    await fill(tab, { "#site-colour": "#7a1f5c" });
    await press(tab, SAVE);
    holds("the site is saved", /Saved/.test(await text(tab)));
    await tab.goto(`${site}/`);
    holds("the pages have the name", (await tab.title()).includes("Town calendar"));
}

/** The pages in the other languages. */
async function languages({ tab }) {
    for (const language of ["ar", "fr"]) {
        await tab.goto(`${site}/desk/account`);
        await tab.select("[name=language]", language);
        await press(tab, "form[action$='/language'] button");
        for (const path of ["/desk/events/all", "/desk/account", "/desk/site", "/desk/trail", "/desk/event/new"]) {
            await tab.goto(site + path);
            const { lang, dir } = await tab.evaluate(() => ({ lang: document.documentElement.lang, dir: document.documentElement.dir }));
            holds(`${path}: ${lang} ${dir}`, lang === language && dir === (language === "ar" ? "rtl" : "ltr"));
            await examine(tab, `${language} ${path}`);
        }
        if (language === "fr") await picture(tab, "desk-fr");
    }
}

await withBrowser(async (browser) => {
    const first = await person(browser);
    await firstEvent(first);
    await richText(first);
    await twoAtOnce(browser, first);
    await previews(first);
    await weekly(first);
    await translation(first);
    await bulk(first);
    await table(first);
    await others(first);
    await proposal(browser, first);
    await review(browser, invitation("grace"), { hasScript: false });
    await review(browser, null, { hasScript: true });
    await drafts(browser);
    await crop(first);
    await face(first);
    await languages(first);
    // The browser reports the status of a conflict as a message.
    for (const message of first.messages)
        if (!/status of 4(00|09|12)/.test(message)) faults.add(`the browser says: ${message}`);
});
for (const fault of faults) console.error(fault);
console.log(`the desk: ${runs} runs of axe-core, ${faults.size} faults`);
process.exitCode = faults.size === 0 ? 0 : 1;
