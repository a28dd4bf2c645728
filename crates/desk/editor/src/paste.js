// Texts pasted from word processors, as the elements that they mean: they carry formats as styles, and lists as
// paragraphs.
import { parseHtml } from "./html.js";

const isBold = (style) => /^(bold|bolder|[6-9]00)$/.test(style.fontWeight);
const formats = [
    ["strong", isBold],
    ["em", (style) => style.fontStyle === "italic"],
    ["u", (style) => style.textDecoration.includes("underline")],
    ["s", (style) => style.textDecoration.includes("line-through")],
    ["sup", (style) => style.verticalAlign === "super"],
    ["sub", (style) => style.verticalAlign === "sub"],
];

/**
 * Text that a browser may parse below the policy of the page: it reports styles and handlers in HTML, also where nothing shows
 * them. They become attributes without a meaning.
 */
const inert = (html) =>
    html
        .replace(/<(style|script)\b[\s\S]*?<\/\1\s*>/gi, "")
        .replace(/<[a-z](?:"[^"]*"|'[^']*'|[^'">])*>/gi, (tag) => tag.replace(/\s(style|on[a-z]+)\s*=/gi, " data-$1="));

/** The style that an element had. */
const styleOf = (element) => element.getAttribute("data-style") ?? "";

/** Puts formats that a style means into elements. */
function applyStyle(element) {
    const { style } = document.createElement("span");
    style.cssText = styleOf(element);
    const isInline = ["span", "font", "a"].includes(element.localName);
    if (isInline)
        for (const [name, holds] of formats) {
            const isOfLink = element.localName === "a" && name === "u";
            if (!holds(style) || isOfLink || element.closest(name)) continue;
            const format = document.createElement(name);
            format.append(...element.childNodes);
            element.append(format);
        }
    // Google Docs puts all of its text into a bold element that is not bold.
    if (["b", "strong"].includes(element.localName) && style.fontWeight === "normal")
        element.replaceWith(...element.childNodes);
}

/** The level of a list in a paragraph of Word; 0 for other paragraphs. */
const level = (element) => Number(/mso-list:[^;]*level(\d)/.exec(styleOf(element))?.[1] ?? 0);

/** Makes lists of paragraphs that Word marks as their items. */
function makeLists(body) {
    let open = [];
    let last = null;
    for (const paragraph of [...body.querySelectorAll("p")]) {
        const depth = level(paragraph);
        if (depth === 0) continue;
        const marker = [...paragraph.querySelectorAll("span")].find((one) => /mso-list:\s*ignore/i.test(styleOf(one)));
        const name = /^\s*[\da-z]+[.)]/i.test(marker?.textContent ?? "") ? "ol" : "ul";
        marker?.remove();
        if (paragraph.previousElementSibling !== last) open = [];
        open.length = Math.min(open.length, depth);
        while (open.length < depth) {
            const list = document.createElement(name);
            const parent = open.at(-1)?.lastElementChild;
            if (parent) parent.append(list);
            else if (open.length > 0) open.at(-1).append(document.createElement("li"));
            if (open.length === 0) paragraph.before(list);
            else if (!parent) open.at(-1).lastElementChild.append(list);
            open.push(list);
        }
        const item = document.createElement("li");
        item.append(...paragraph.childNodes);
        open.at(-1).append(item);
        last = open[0];
        paragraph.remove();
    }
}

export function cleanPasted(html) {
    const body = parseHtml(inert(html));
    for (const element of [...body.querySelectorAll("style, script, meta, title, link")]) element.remove();
    makeLists(body);
    for (const element of [...body.querySelectorAll("[data-style]")]) applyStyle(element);
    for (const element of body.querySelectorAll("*"))
        for (const name of element.getAttributeNames())
            if (/^(data-.*|class|lang|dir|id)$/.test(name)) element.removeAttribute(name);
    for (const image of [...body.querySelectorAll("img")])
        if (!/^https?:/.test(image.getAttribute("src") ?? "")) image.remove();
    for (const span of [...body.querySelectorAll("span, font, o\\:p")]) span.replaceWith(...span.childNodes);
    // Empty paragraphs are the distance between paragraphs.
    for (const paragraph of [...body.querySelectorAll("p")])
        if (!paragraph.textContent.trim() && !paragraph.querySelector("img, br")) paragraph.remove();
    return body.innerHTML;
}
