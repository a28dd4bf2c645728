// Builds the editor into one file: `node build.mjs FOLDER` writes `editor.js` and `editor.LICENSES.txt` there. The packages
// are pinned by `package-lock.json`, and lie in `node_modules` beside this file.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2];
const { metafile } = await build({
    absWorkingDir: here,
    entryPoints: ["src/editor.js"],
    outfile: join(folder, "editor.js"),
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "none",
    metafile: true,
});
const packages = Object.keys(metafile.inputs)
    .map((path) => /node_modules\/([^/]+)\//.exec(path)?.[1])
    .filter(Boolean);
const licences = [...new Set(packages)].sort().map((name) => {
    const place = join(here, "node_modules", name);
    const { version } = JSON.parse(readFileSync(join(place, "package.json")));
    const file = readdirSync(place).find((one) => /^licen[cs]e/i.test(one));
    return `${name} ${version}\n\n${readFileSync(join(place, file), "utf8").trim()}\n`;
});
const line = `\n${"-".repeat(80)}\n\n`;
writeFileSync(join(folder, "editor.LICENSES.txt"), `The editor contains these packages.\n${line}${licences.join(line)}`);
