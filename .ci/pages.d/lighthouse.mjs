// Lighthouse on a month and on an event: accessibility, best practices and SEO must each score at least 95.
//
//   SITE=http://127.0.0.1:8080 BROWSER=/usr/bin/chromium node lighthouse.mjs PATH…
//   SITE=… BROWSER=… node lighthouse.mjs --performance PATH…    prints the median of five runs, and demands nothing
import lighthouse from "lighthouse";
import { withBrowser } from "./browser.mjs";

const least = 95;
const measures = process.argv[2] === "--performance";
const paths = process.argv.slice(measures ? 3 : 2);
const categories = measures ? ["performance"] : ["accessibility", "best-practices", "seo"];

/** The scores of a page, from 0 to 100, and the audits that it does not pass. */
async function scores(url, port) {
    const { lhr } = await lighthouse(url, { port, logLevel: "error", onlyCategories: categories });
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    return Object.values(lhr.categories).map(({ id, score, auditRefs }) => {
        const missed = auditRefs.filter(({ id, weight }) => weight > 0 && (lhr.audits[id].score ?? 1) < 1);
        return { id, score: Math.round(score * 100), missed: missed.map((one) => one.id) };
    });
}

let failed = false;
await withBrowser(async (browser) => {
    const { port } = new URL(browser.wsEndpoint());
    for (const path of paths) {
        if (measures) {
            const runs = [];
            for (let run = 0; run < 5; run += 1) runs.push((await scores(process.env.SITE + path, port))[0].score);
            runs.sort((one, other) => one - other);
            console.log(`${path}: performance ${runs[2]} (${runs.join(", ")})`);
            continue;
        }
        for (const { id, score, missed } of await scores(process.env.SITE + path, port)) {
            console.log(`${path}: ${id} ${score} ${missed.join(" ")}`.trimEnd());
            failed ||= score < least;
        }
    }
});
if (failed) {
    console.error(`lighthouse demands ${least}`);
    process.exit(1);
}
