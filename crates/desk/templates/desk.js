// Improves the desk, which is complete without it. Pictures are cropped by drawing a rectangle. The browser keeps the texts of the form of an event until the form is
// saved or discarded, or until the person signs out: in `localStorage`, by person and form, without passwords and files.
(() => {
  "use strict";
  const PREFIX = "desk-draft:";
  const SIGNED_OUT = "desk-signed-out";
  const SENT = "desk-sent";
  const SECONDS = 2;
  const DAYS = 30;

  const drafts = () => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  const read = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null;
    }
  };

  /** Whether a draft has the value of a control. */
  const isKept = ({ name, type, disabled }) =>
    name && !disabled && (type !== "hidden" || name === "revision") && name !== "password" &&
    !["file", "password", "submit", "button"].includes(type);
  const isChoice = ({ type }) => type === "checkbox" || type === "radio";
  const controls = (form) => [...form.elements].filter(isKept);
  const typed = (form) =>
    controls(form).filter((one) => !isChoice(one) || one.checked).map(({ name, value }) => [name, value]);
  const texts = (fields) => JSON.stringify(fields.filter(([name]) => name !== "revision"));

  function restore(form, fields) {
    for (const control of controls(form)) {
      const own = fields.filter(([name]) => name === control.name).map(([, value]) => value);
      if (isChoice(control)) control.checked = own.includes(control.value);
      else if (own.length > 0) control.value = own[0];
      control.dispatchEvent(new Event("restored"));
    }
  }

  function keepDrafts(form) {
    const key = `${PREFIX}${form.dataset.draft}:${location.pathname}`;
    const notice = document.getElementById("draft");
    let timer = 0;
    let isDirty = "typed" in form.dataset;

    const store = () => {
      clearTimeout(timer);
      if (!isDirty || isSignedOut) return;
      isDirty = false;
      try {
        localStorage.setItem(key, JSON.stringify({ at: Date.now(), fields: typed(form) }));
      } catch {
        // A full or forbidden storage keeps nobody from writing.
      }
    };
    const change = () => {
      isDirty = true;
      clearTimeout(timer);
      timer = setTimeout(store, SECONDS * 1000);
    };

    const found = read(key);
    if (isDirty) store();
    else if (found && texts(found.fields) === texts(typed(form))) localStorage.removeItem(key);
    else if (found) {
      const time = notice.querySelector("time");
      time.dateTime = new Date(found.at).toISOString();
      time.textContent = new Date(found.at).toLocaleString(document.documentElement.lang);
      notice.hidden = false;
    }
    notice.addEventListener("click", ({ target }) => {
      if (!target.name) return;
      notice.hidden = true;
      if (target.name === "restore") {
        restore(form, found.fields);
        change();
        form.querySelector("#title").focus();
      } else {
        localStorage.removeItem(key);
        document.getElementById("content").focus();
      }
    });

    form.addEventListener("input", change);
    form.addEventListener("change", change);
    form.addEventListener("submit", ({ submitter }) => {
      isDirty = true;
      store();
      // The button that saves has no name; the buttons of previews have one.
      if (!submitter?.name) sessionStorage.setItem(SENT, key);
    });
    addEventListener("pagehide", store);
    document.addEventListener("visibilitychange", store);
  }

  /** Lets people draw the part of a picture that stays. The inputs have what is cut off, in percent. */
  function drawCrop(details) {
    const WIDTH = 480;
    const canvas = details.querySelector("canvas");
    const inputs = [...details.querySelectorAll("input")];
    const margins = () => inputs.map(({ value }) => Math.min(99, Math.max(0, Number(value) || 0)) / 100);
    const file = details.closest("form").querySelector("input[type=file]");
    let picture = null;
    let start = null;

    const draw = () => {
      if (!picture) return;
      const context = canvas.getContext("2d");
      const { width, height } = canvas;
      const [left, top, right, bottom] = margins();
      context.drawImage(picture, 0, 0, width, height);
      context.fillStyle = "rgb(0 0 0 / 65%)";
      context.beginPath();
      context.rect(0, 0, width, height);
      context.rect(left * width, top * height, (1 - left - right) * width, (1 - top - bottom) * height);
      context.fill("evenodd");
    };
    const load = async () => {
      picture = null;
      canvas.hidden = true;
      const shown = document.querySelector("main img.picture");
      try {
        picture = await createImageBitmap(file?.files[0] ?? shown);
      } catch {
        // Without a picture that the browser can read, the inputs remain.
        return;
      }
      canvas.width = Math.min(WIDTH, picture.width);
      canvas.height = Math.max(1, Math.round((canvas.width * picture.height) / picture.width));
      canvas.hidden = false;
      draw();
    };
    const at = ({ clientX, clientY }) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      return [(clientX - left) / width, (clientY - top) / height].map((part) => Math.min(1, Math.max(0, part)));
    };
    canvas.addEventListener("pointerdown", (event) => {
      start = at(event);
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!start) return;
      const end = at(event);
      const low = start.map((part, axis) => Math.min(part, end[axis]));
      const high = start.map((part, axis) => Math.max(part, end[axis]));
      const cut = [low[0], low[1], 1 - high[0], 1 - high[1]].map((part) => Math.floor(part * 100));
      if (cut[0] + cut[2] < 100 && cut[1] + cut[3] < 100) cut.forEach((part, side) => (inputs[side].value = part));
      draw();
    });
    canvas.addEventListener("pointerup", () => (start = null));
    details.addEventListener("input", draw);
    details.addEventListener("toggle", load);
    file?.addEventListener("change", load);
  }

  let isSignedOut = false;
  // Another tab of the browser signed out.
  addEventListener("storage", ({ key }) => {
    isSignedOut ||= key === SIGNED_OUT;
  });
  const signOut = document.querySelector("form[data-signs-out]");
  signOut?.addEventListener("submit", () => {
    isSignedOut = true;
    for (const key of drafts()) localStorage.removeItem(key);
    localStorage.setItem(SIGNED_OUT, Date.now());
  });
  const oldest = Date.now() - DAYS * 24 * 3600 * 1000;
  for (const key of drafts()) if (!(read(key)?.at > oldest)) localStorage.removeItem(key);
  document.querySelectorAll(".crop").forEach(drawCrop);
  const form = document.querySelector("form[data-draft]");
  // The page after a form was sent says whether it was saved.
  const sent = sessionStorage.getItem(SENT);
  sessionStorage.removeItem(SENT);
  if (sent && form && "saved" in form.dataset) localStorage.removeItem(sent);
  if (form) keepDrafts(form);
})();
