// The schema of the editor: exactly the elements and attributes that the filter of the service keeps, as
// `allow-list.json` has them. A node or a mark has the name of its element.
import { Schema } from "prosemirror-model";
import allowed from "../allow-list.json" with { type: "json" };

/** Elements that contain text, by themselves. */
const texts = ["p", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "address", "summary", "dt", "caption", "figcaption"];
/** Elements that contain other elements, by the content that they may have. */
const containers = {
    ul: "li+",
    ol: "li+",
    dl: "(dt|dd)+",
    table: "(caption|colgroup|thead|tbody|tfoot|tr)+",
    colgroup: "col*",
    thead: "tr+",
    tbody: "tr+",
    tfoot: "tr+",
    tr: "(td|th)+",
    details: "summary? block*",
    figure: "(block|figcaption)+",
};
/** Parts that stand in their container alone. */
const parts = ["li", "dt", "dd", "caption", "colgroup", "col", "thead", "tbody", "tfoot", "tr", "td", "th", "summary", "figcaption"];
/** Elements that contain paragraphs and other blocks. A text without a paragraph is one without its tags. */
export const flows = [
    "li", "dd", "td", "th", "div", "blockquote", "article", "aside", "center", "footer", "header", "main", "nav", "section",
];
const leaves = ["hr", "col"];
const inlineLeaves = ["br", "img", "wbr"];

export const blocks = [...texts, ...Object.keys(containers), ...flows, ...leaves];

/** Attributes of an element that the filter keeps. */
const attributesOf = (name) => [...allowed.everywhere, ...allowed.elements[name]];

function read(name) {
    return (element) => Object.fromEntries(attributesOf(name).map((one) => [one, element.getAttribute(one)]));
}

const written = (attributes) => Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null));

function attrs(name) {
    return Object.fromEntries(attributesOf(name).map((one) => [one, { default: null }]));
}

function node(name) {
    const isLeaf = leaves.includes(name) || inlineLeaves.includes(name);
    const spec = {
        attrs: attrs(name),
        parseDOM: [{ tag: name, getAttrs: read(name), preserveWhitespace: name === "pre" ? "full" : undefined }],
        toDOM: ({ attrs }) => (isLeaf ? [name, written(attrs)] : [name, written(attrs), 0]),
    };
    if (inlineLeaves.includes(name)) return { ...spec, inline: true, group: "inline" };
    if (!parts.includes(name)) spec.group = "block";
    if (isLeaf) return spec;
    if (texts.includes(name)) return { ...spec, content: "inline*", code: name === "pre", defining: true };
    return { ...spec, content: containers[name] ?? "block+", defining: flows.includes(name) };
}

function mark(name) {
    return {
        attrs: attrs(name),
        inclusive: name !== "a",
        parseDOM: [{ tag: name, getAttrs: read(name) }],
        toDOM: ({ attrs }) => [name, written(attrs), 0],
    };
}

const names = Object.keys(allowed.elements);
const nodes = [...new Set([...blocks, ...inlineLeaves])];
const unknown = nodes.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`the filter removes ${unknown}`);

export const schema = new Schema({
    nodes: {
        doc: { content: "block+" },
        ...Object.fromEntries(nodes.map((name) => [name, node(name)])),
        text: { group: "inline" },
    },
    marks: Object.fromEntries(names.filter((name) => !nodes.includes(name)).map((name) => [name, mark(name)])),
});
