// Each kind of page is valid HTML, by the rules of the standard. `SITE` is the address of the service.
import { readFileSync } from "node:fs";
import { HtmlValidate, StaticConfigLoader } from "html-validate";
import { documentPath, languages, pages, site } from "./site.mjs";

const config = JSON.parse(readFileSync(new URL("html-validate.json", import.meta.url), "utf8"));
const validator = new HtmlValidate(new StaticConfigLoader(config));
const paths = [documentPath, ...pages.flatMap(({ path }) => languages.map((language) => `/${language}${path}`))];

let faults = 0;
for (const path of paths) {
    const response = await fetch(site + path, { headers: { accept: "text/html" } });
    const { results } = await validator.validateString(await response.text());
    for (const { line, ruleId, message } of results.flatMap((one) => one.messages)) {
        faults += 1;
        console.error(`${path}, line ${line}: ${ruleId}: ${message}`);
    }
}
if (faults > 0) process.exit(1);
console.log(`${paths.length} pages are valid HTML`);
