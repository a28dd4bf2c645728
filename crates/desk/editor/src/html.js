// HTML to a document of the editor and back, and whether that loses something.
import { DOMParser as Reader, DOMSerializer } from "prosemirror-model";
import { blocks, flows, schema } from "./schema.js";

const reader = Reader.fromSchema(schema);
const writer = DOMSerializer.fromSchema(schema);

export const parseHtml = (html) => new DOMParser().parseFromString(html, "text/html").body;

/** The paragraphs of a text, as the service makes them of one without elements. */
function withParagraphs(html) {
    if (/<[a-z!/]/i.test(html)) return html;
    return html.trim().split(/\n\s*\n/).map((text) => `<p>${text.trim().replace(/\n/g, "<br>")}</p>`).join("");
}

export const read = (html) => reader.parse(parseHtml(withParagraphs(html)));

const isPlainParagraph = (element) => element.localName === "p" && element.attributes.length === 0;

/** What may follow a text that needs no paragraph. */
const followers = ["ul", "ol", "figcaption"];

/** Whether the first paragraph of an element needs none: `<li><p>One</p></li>`, also before a list. */
function needsNoParagraph(element) {
    const [first, ...rest] = element.children;
    const isAlone = rest.every((one) => followers.includes(one.localName));
    return [...flows, "figure"].includes(element.localName) && first && isPlainParagraph(first) && isAlone;
}

export function write(doc) {
    const body = document.createElement("div");
    body.append(writer.serializeFragment(doc.content));
    for (const element of body.querySelectorAll([...flows, "figure"].join(",")))
        if (needsNoParagraph(element)) element.firstElementChild.replaceWith(...element.firstElementChild.childNodes);
    if (body.children.length === 1 && isPlainParagraph(body.firstElementChild) && body.textContent === "" && !body.querySelector("img"))
        return "";
    return [...body.children].map((one) => one.outerHTML).join("\n");
}

const tag = (element) =>
    [element.localName, ...[...element.attributes].map(({ name, value }) => `${name}=${value}`).sort()].join(" ");

/** The parts of a text in their order: the edges of blocks, and runs of text with the set of their inline elements. */
function partsOf(body) {
    const parts = [];
    const add = (inline, text) => {
        const last = parts.at(-1);
        if (last && last.inline === inline) last.text += text;
        else parts.push({ inline, text });
    };
    const visit = (node, inline, isCode) => {
        if (node.nodeType === Node.TEXT_NODE) {
            const text = isCode ? node.data : node.data.replace(/\s+/g, " ");
            if (text) add([...inline].sort().join(","), text);
        } else if (node.nodeType === Node.ELEMENT_NODE) {
            const isBlock = blocks.includes(node.localName);
            if (["br", "img", "wbr"].includes(node.localName)) return add([...inline].sort().join(","), `<${tag(node)}>`);
            if (!isBlock) {
                for (const child of node.childNodes) visit(child, new Set(inline).add(tag(node)), isCode);
                return;
            }
            const isShown = !(isPlainParagraph(node) && node === node.parentElement.firstElementChild && needsNoParagraph(node.parentElement));
            if (isShown) parts.push({ edge: `<${tag(node)}>` });
            for (const child of node.childNodes) visit(child, inline, isCode || node.localName === "pre");
            if (isShown) parts.push({ edge: `</${node.localName}>` });
        }
    };
    for (const child of body.childNodes) visit(child, new Set(), false);
    // Blanks at the edges of blocks are not shown.
    parts.forEach((part, index) => {
        if (part.edge) return;
        if (parts[index - 1]?.edge ?? true) part.text = part.text.trimStart();
        if (parts[index + 1]?.edge ?? true) part.text = part.text.trimEnd();
    });
    return parts.filter((part) => part.edge || part.text).map((part) => part.edge ?? `${part.inline}|${part.text}`);
}

/** Whether the editor keeps all of a text. */
export function isKept(html) {
    if (!html.trim()) return true;
    const before = partsOf(parseHtml(withParagraphs(html)));
    const after = partsOf(parseHtml(write(read(html))));
    return before.join("\n") === after.join("\n");
}
