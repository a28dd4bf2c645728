// The rich-text editor of the desk. It stands in the place of a text area with `data-editor`, whose value it writes.
// A text that it would not keep whole stays in its text area.
import { baseKeymap, setBlockType, toggleMark, wrapIn } from "prosemirror-commands";
import { history, redo, undo } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import { liftListItem, sinkListItem, splitListItem, wrapInList } from "prosemirror-schema-list";
import { EditorState } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { isKept, read, write } from "./html.js";
import { cleanPasted } from "./paste.js";
import { schema } from "./schema.js";

const { nodes, marks } = schema;

const hasMark = (...types) => ({ selection: { from, $from, to, empty }, storedMarks, doc }) =>
    types.some((type) => (empty ? type.isInSet(storedMarks ?? $from.marks()) : doc.rangeHasMark(from, to, type)));
const isIn = (name) => ({ selection: { $from } }) => {
    for (let depth = $from.depth; depth > 0; depth -= 1) if ($from.node(depth).type.name === name) return true;
    return false;
};

/** Sets a mark, or removes its kinds: `b` is as bold as `strong`. */
const mark = (type, ...alike) => (state, dispatch) => {
    const present = [type, ...alike].find((one) => hasMark(one)(state));
    return toggleMark(present ?? type)(state, dispatch);
};
const heading = (type) => (state, dispatch) =>
    setBlockType(isIn(type.name)(state) ? nodes.p : type)(state, dispatch);
const list = (type) => (state, dispatch) =>
    isIn(type.name)(state) ? liftListItem(nodes.li)(state, dispatch) : wrapInList(type)(state, dispatch);

/** The address that a person means: `town.example` is a site. */
function addressOf(text) {
    const address = text.trim();
    if (/^(https?|mailto|tel):/i.test(address) || address.startsWith("/")) return address;
    if (/^[^\s/]+@[^\s/]+$/.test(address)) return `mailto:${address}`;
    return /^[\w-]+(\.[\w-]+)+(\/|$)/.test(address) ? `https://${address}` : "";
}

const link = (words) => (state, dispatch) => {
    if (hasMark(marks.a)(state)) return toggleMark(marks.a)(state, dispatch);
    if (state.selection.empty) return false;
    if (dispatch) {
        const href = addressOf(window.prompt(words.address, "https://") ?? "");
        if (href) toggleMark(marks.a, { href })(state, dispatch);
    }
    return true;
};

const controls = (words) => [
    { name: "bold", text: "B", run: mark(marks.strong, marks.b), holds: hasMark(marks.strong, marks.b) },
    { name: "italic", text: "I", run: mark(marks.em, marks.i), holds: hasMark(marks.em, marks.i) },
    { name: "link", text: words.link, run: link(words), holds: hasMark(marks.a) },
    { name: "heading", text: "H2", run: heading(nodes.h2), holds: isIn("h2") },
    { name: "subheading", text: "H3", run: heading(nodes.h3), holds: isIn("h3") },
    { name: "bullets", text: "•", run: list(nodes.ul), holds: isIn("ul") },
    { name: "numbers", text: "№", run: list(nodes.ol), holds: isIn("ol") },
    { name: "quotation", text: "❝", run: wrapIn(nodes.blockquote), holds: isIn("blockquote") },
    { name: "undo", text: "↶", run: undo },
    { name: "redo", text: "↷", run: redo },
];

const keys = (words) => keymap({
    "Mod-b": mark(marks.strong, marks.b),
    "Mod-i": mark(marks.em, marks.i),
    "Mod-k": link(words),
    "Mod-z": undo,
    "Mod-y": redo,
    "Shift-Mod-z": redo,
    Enter: splitListItem(nodes.li),
    "Shift-Enter": (state, dispatch) => {
        dispatch?.(state.tr.replaceSelectionWith(nodes.br.create()).scrollIntoView());
        return true;
    },
    "Mod-[": liftListItem(nodes.li),
    "Mod-]": sinkListItem(nodes.li),
});

/** The buttons, one stop of the Tab key, walked by the arrow keys. */
function toolbar(view, words) {
    const bar = Object.assign(document.createElement("div"), { className: "toolbar" });
    bar.setAttribute("role", "toolbar");
    bar.setAttribute("aria-label", words.toolbar);
    const buttons = controls(words).map((control) => {
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: control.text });
        button.setAttribute("aria-label", words[control.name]);
        button.title = words[control.name];
        button.dataset.control = control.name;
        button.addEventListener("mousedown", (event) => event.preventDefault());
        button.addEventListener("click", () => {
            control.run(view().state, view().dispatch, view());
            view().focus();
        });
        bar.append(button);
        return { ...control, button };
    });
    bar.addEventListener("keydown", (event) => {
        const all = [...bar.querySelectorAll("button")];
        const isForward = (getComputedStyle(bar).direction === "rtl") === (event.key === "ArrowLeft");
        const step = { ArrowLeft: 1, ArrowRight: 1 }[event.key] && (isForward ? 1 : -1);
        if (!step) return;
        event.preventDefault();
        const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
        for (const one of all) one.tabIndex = one === next ? 0 : -1;
        next.focus();
    });
    const update = (state) => {
        for (const { button, holds, run } of buttons) {
            if (holds) button.setAttribute("aria-pressed", holds(state));
            else button.setAttribute("aria-disabled", !run(state));
        }
    };
    return { bar, update };
}

function edit(area) {
    const words = JSON.parse(area.dataset.editor);
    const label = document.querySelector(`label[for="${area.id}"]`);
    const frame = Object.assign(document.createElement("div"), { className: "editor" });
    const message = Object.assign(document.createElement("p"), { className: "hint" });
    message.setAttribute("role", "status");
    const source = Object.assign(document.createElement("button"), { type: "button", textContent: "HTML", className: "quiet" });
    source.setAttribute("aria-label", words.html);
    area.before(frame);
    area.after(message);

    let view = null;
    const { bar, update } = toolbar(() => view, words);
    bar.append(source);
    for (const button of [...bar.querySelectorAll("button")].slice(1)) button.tabIndex = -1;
    frame.append(bar);

    const show = () => {
        if (!isKept(area.value)) {
            message.textContent = words.kept;
            return false;
        }
        message.textContent = "";
        view = new EditorView(frame, {
            state: EditorState.create({
                doc: read(area.value),
                plugins: [history(), keys(words), keymap(baseKeymap)],
            }),
            attributes: {
                id: `${area.id}-editor`,
                role: "textbox",
                "aria-multiline": "true",
                "aria-label": label?.textContent.trim() ?? "",
                "aria-describedby": area.getAttribute("aria-describedby") ?? "",
                dir: area.dir || "auto",
                ...(area.lang && { lang: area.lang }),
            },
            transformPastedHTML: cleanPasted,
            dispatchTransaction(transaction) {
                view.updateState(view.state.apply(transaction));
                // An unchanged text stays as it is stored, letter by letter.
                if (transaction.docChanged) {
                    area.value = write(view.state.doc);
                    area.dispatchEvent(new Event("input", { bubbles: true }));
                }
                update(view.state);
            },
        });
        update(view.state);
        return true;
    };
    const setVisible = (isRich) => {
        area.hidden = isRich;
        source.setAttribute("aria-pressed", !isRich);
        for (const button of bar.querySelectorAll("[data-control]")) button.hidden = !isRich;
        source.tabIndex = isRich ? -1 : 0;
    };
    source.addEventListener("click", () => {
        if (view) {
            view.destroy();
            view = null;
            setVisible(false);
            area.focus();
        } else if (show()) {
            setVisible(true);
            view.focus();
        }
    });
    label?.addEventListener("click", () => view?.focus());
    // Another script gave the text area another text.
    area.addEventListener("restored", () => {
        view?.destroy();
        view = null;
        setVisible(show());
    });
    setVisible(show());
}

for (const area of document.querySelectorAll("textarea[data-editor]")) edit(area);
