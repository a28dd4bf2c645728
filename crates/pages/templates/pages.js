// Improves pages that are complete without it. It loads nothing but pages of the site, and keeps nothing.
(() => {
  "use strict";
  const words = document.currentScript.dataset;

  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };

  // A button that copies the address of a calendar. Its message is read aloud.
  const copyText = async (field) => {
    try {
      await navigator.clipboard.writeText(field.value);
      return true;
    } catch {
      // Without TLS a browser offers no clipboard, but copies a selection.
      field.select();
      return document.execCommand("copy");
    }
  };

  for (const field of document.querySelectorAll(".take input[readonly]")) {
    const button = make("button", { type: "button", textContent: words.copy });
    const status = make("span");
    status.setAttribute("role", "status");
    button.addEventListener("click", async () => {
      status.textContent = "";
      if (await copyText(field)) status.textContent = words.copied;
      button.focus();
    });
    field.closest("p").append(make("span", { className: "copy" }, button, status));
  }

  // The events of a day, with those that its cell leaves out, in a dialog. The browser keeps the focus in it and closes
  // it by Escape.
  const showDay = async (link) => {
    const response = await fetch(link.href);
    if (!response.ok) throw new Error(response.statusText);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const title = page.querySelector("h1").textContent.trim();
    const heading = make("h2", { id: "of-day" }, make("a", { href: link.href }, title));
    const close = make("button", { type: "button", textContent: words.close });
    const top = make("div", {}, heading, close);
    const dialog = make("dialog", { className: "of-day" }, top, page.querySelector("main .events"));
    dialog.setAttribute("aria-labelledby", "of-day");
    if (page.querySelector(".pager")) dialog.append(make("p", {}, make("a", { href: link.href }, words.all)));
    close.addEventListener("click", () => dialog.close());
    // A click beside the dialog closes it, too.
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      link.focus();
    });
    document.body.append(dialog);
    dialog.showModal();
  };

  for (const link of document.querySelectorAll(".calendar a.more")) {
    if (link.origin !== location.origin || !window.HTMLDialogElement) continue;
    link.setAttribute("aria-haspopup", "dialog");
    let isLoading = false;
    link.addEventListener("click", async (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (isLoading) return;
      isLoading = true;
      try {
        await showDay(link);
      } catch {
        // The page of the day says what is wrong.
        location.assign(link.href);
      }
      isLoading = false;
    });
  }
})();
