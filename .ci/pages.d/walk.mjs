// Walks through each kind of page in a browser: axe-core in three languages, on narrow and wide screens, in light and
// dark colours; wide spacing of the text; the keyboard; the messages of the browser; what the script adds; forms in a
// browser without script.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { openTab, withBrowser } from "./browser.mjs";
import { faultsOfKeyboard } from "./keyboard.mjs";
import { createRecords, documentPath, languages, pages, password, site } from "./site.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const widths = [320, 1200];
const schemes = ["light", "dark"];

/** WCAG 2.2 A and AA, and the best practices of axe. `preload` would fetch the stylesheet by script. */
const options = {
    preload: false,
    resultTypes: ["violations"],
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    rules: { "target-size": { enabled: true } },
};
/** Only colours differ between light and dark. */
const colours = { ...options, runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] }, rules: {} };

const faults = new Set();
let runs = 0;

async function examine(tab, where, chosen) {
    runs += 1;
    const { violations } = await tab.evaluate((given) => window.axe.run(document, given), chosen);
    for (const { id, nodes } of violations)
        for (const node of nodes.slice(0, 3))
            faults.add(`${where}: ${id}: ${node.target.join(" ")}: ${node.failureSummary.replace(/\s+/g, " ")}`);
}

/** Returns how much wider than the screen the page is. */
const overflow = (tab) => tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Spaces text as WCAG 1.4.12 demands that a page bears. */
async function spaceText(tab) {
    await tab.evaluate(() => {
        const rules = [
            "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }",
            "p { margin-block-end: 2em !important; }",
        ];
        for (const rule of rules) document.styleSheets[0].insertRule(rule, document.styleSheets[0].cssRules.length);
    });
}

async function look(browser, name, path, status) {
    const { tab, messages } = await openTab(browser);
    await tab.setViewport({ width: widths[0], height: 800 });
    const response = await tab.goto(site + path);
    if (response.status() !== status) faults.add(`${name} ${path}: status ${response.status()}`);
    // All of the page counts, also what a reader opens.
    await tab.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
    await tab.evaluate(axe);
    for (const width of widths) {
        await tab.setViewport({ width, height: 800 });
        for (const scheme of schemes) {
            await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
            await examine(tab, `${name} ${path} ${width} ${scheme}`, scheme === "light" ? options : colours);
        }
        const wider = await overflow(tab);
        if (wider > 0) faults.add(`${name} ${path}: ${wider} pixels wider than ${width}`);
    }
    if (path.startsWith("/en") || path === documentPath)
        for (const fault of await faultsOfKeyboard(tab)) faults.add(`${name} ${path}: ${fault}`);
    await tab.setViewport({ width: widths[0], height: 800 });
    await spaceText(tab);
    const wider = await overflow(tab);
    if (wider > 0) faults.add(`${name} ${path}: ${wider} pixels wider than ${widths[0]} with wide spacing`);
    // The browser reports the status 404 as a message.
    for (const message of messages)
        if (status === 200 || !message.includes(`status of ${status}`)) faults.add(`${name} ${path}: ${message}`);
    await tab.close();
}

/** What the script adds, by the keyboard: the events of a day over its month, and the button that copies an address. */
async function lookAtScript(browser) {
    const { tab, messages } = await openTab(browser);
    const holds = (what, held) => held || faults.add(`script: ${what}`);
    const isFocused = (selector) => tab.evaluate((one) => document.activeElement.matches(one), selector);
    await tab.setViewport({ width: widths[1], height: 800 });

    await tab.goto(`${site}/en/events/month/2090-05/`);
    await tab.focus(".month a.more");
    await tab.keyboard.press("Enter");
    const dialog = await tab.waitForSelector("dialog[open]", { timeout: 5000 });
    const { role, name } = await dialog.evaluate((one) => ({ role: one.localName, name: one.querySelector("h2").textContent }));
    holds(`the day has the name ${name}`, role === "dialog" && name === "Monday 8 May 2090");
    holds("the first events of the day", (await dialog.$$(".events li")).length === 25);
    await tab.evaluate(axe);
    await examine(tab, "dialog of a day", options);
    await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
    await examine(tab, "dialog of a day dark", colours);
    await tab.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
    const stops = await dialog.evaluate((one) => one.querySelectorAll("a, button").length);
    let reached = 0;
    for (let press = 0; press < stops + 2; press += 1) {
        const inside = await tab.evaluate(() => document.activeElement.closest("dialog") !== null);
        reached += inside ? 1 : 0;
        // Past its last control, the browser's own controls follow.
        holds("the page behind the dialog has no focus", inside || (await isFocused("body")));
        await tab.keyboard.press("Tab");
    }
    holds(`Tab reaches ${reached} of ${stops} links in the dialog`, reached >= stops);
    await tab.keyboard.press("Escape");
    await tab.waitForSelector("dialog", { hidden: true, timeout: 5000 });
    holds("the focus returns", await isFocused(".month a.more"));
    await tab.keyboard.press("Enter");
    await tab.waitForSelector("dialog[open]", { timeout: 5000 });
    await tab.focus("dialog button");
    await tab.keyboard.press("Enter");
    await tab.waitForSelector("dialog", { hidden: true, timeout: 5000 });
    holds("its button returns the focus, too", await isFocused(".month a.more"));

    await browser.defaultBrowserContext().overridePermissions(site, ["clipboard-read", "clipboard-sanitized-write"]);
    await tab.goto(`${site}/en/events/list/`);
    await tab.focus(".take summary");
    await tab.keyboard.press("Enter");
    await tab.focus(".take input");
    await tab.keyboard.press("Tab");
    holds("the button follows the address", await isFocused(".take button"));
    await tab.keyboard.press("Enter");
    await tab.waitForFunction(() => document.querySelector(".take [role=status]").textContent === "Copied.", { timeout: 5000 });
    holds("the button keeps the focus", await isFocused(".take button"));
    const address = await tab.$eval(".take input", (one) => one.value);
    holds("the address is copied", (await tab.evaluate(() => navigator.clipboard.readText())) === address);
    for (const message of messages) faults.add(`script: ${message}`);
    await tab.close();
}

/** Forms, and the page of the document, in a browser that runs no script. */
async function lookWithoutScript(browser) {
    const { tab, messages } = await openTab(browser);
    await tab.setJavaScriptEnabled(false);
    const holds = (what, held) => held || faults.add(`without script: ${what}`);
    const textOf = () => tab.$eval("main, body", (one) => one.textContent);

    await tab.goto(`${site}/en/event/wedding/`);
    holds("a locked event is locked", !(await textOf()).includes("Nobody else reads this"));
    await tab.type("#password", password);
    await Promise.all([tab.waitForNavigation(), tab.click(".unlock button")]);
    holds("its password opens it", (await textOf()).includes("Nobody else reads this"));

    await tab.goto(`${site}/en/events/month/2090-05/`);
    await Promise.all([tab.waitForNavigation(), tab.click(".period form button")]);
    holds(`the date leads to ${tab.url()}`, tab.url().endsWith("/events/month/2090-05/"));

    await Promise.all([tab.waitForNavigation(), tab.click(".month a.more")]);
    holds(`the rest of a day leads to ${tab.url()}`, tab.url().endsWith("/events/day/2090-05-08/"));
    await tab.goto(`${site}/en/events/list/`);
    holds("the address to copy has no button", (await tab.$(".take button")) === null);

    await tab.goto(site + documentPath);
    holds("the document lists its operations", (await tab.$$(".operation")).length > 30);
    for (const message of messages) faults.add(`without script: ${message}`);
    await tab.close();
}

await createRecords();
await withBrowser(async (browser) => {
    for (const { name, path, status } of pages)
        for (const language of languages) await look(browser, name, `/${language}${path}`, status);
    await look(browser, "document", documentPath, 200);
    await lookAtScript(browser);
    await lookWithoutScript(browser);
});
for (const fault of faults) console.error(fault);
if (faults.size > 0) process.exit(1);
console.log(`axe finds nothing in ${runs} runs; the keyboard reaches everything; the browser reports nothing`);
