// The browser of the checks. `BROWSER` is the path of Chromium.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

/** Starts a browser for `use`, and ends it. It finds no other host than this machine. */
export async function withBrowser(use) {
    const profile = mkdtempSync(join(tmpdir(), "events-calendar-browser."));
    const browser = await puppeteer.launch({
        executablePath: process.env.BROWSER,
        userDataDir: profile,
        args: [
            "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ],
    });
    try {
        return await use(browser);
    } finally {
        await browser.close();
        rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }
}

/** Chromium logs it when a program types into a new page before `autofocus` has taken effect. */
const typedEarly = "Autofocus processing was blocked because a document already has a focused element.";

/** A new page of the browser, and the messages that the browser logs for it, such as breaches of its policy. */
export async function openTab(browser) {
    const tab = await browser.newPage();
    const messages = [];
    const session = await tab.createCDPSession();
    session.on("Log.entryAdded", ({ entry }) => {
        if (entry.text !== typedEarly) messages.push(entry.text);
    });
    tab.on("console", (message) => messages.push(message.text()));
    tab.on("pageerror", (error) => messages.push(String(error)));
    await session.send("Log.enable");
    return { tab, messages };
}
