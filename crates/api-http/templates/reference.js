// Adds a filter and forms that send requests. The page is complete without it.
"use strict";

(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };

  const label = (text, input) => make("label", {}, text, input);

  const row = (...labels) => make("div", { className: "inputs" }, ...labels);

  // Filter

  const box = document.querySelector(".filter");
  const search = box.querySelector("input");
  const entries = all("details.operation, details.schema, .alias").map((element) => {
    const id = (element.querySelector(".inside") ?? element).id;
    const names = all("summary, dt code", element).map((one) => one.textContent);
    return {
      element,
      link: document.querySelector(`nav li a[href="#${id}"]`)?.parentElement,
      text: [id, ...names, element.matches(".alias") ? element.textContent : ""].join(" ").toLowerCase(),
    };
  });

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { element, link, text } of entries) {
      const fits = words.every((word) => text.includes(word));
      element.hidden = !fits;
      if (link) link.hidden = !fits;
      count += fits;
    }
    for (const section of all("main > section:not(.group)")) section.hidden = words.length > 0;
    for (const group of all("[data-group]"))
      group.hidden = !group.querySelector(":is(.operation, .schema, .alias, li):not([hidden])");
    box.querySelector("p").textContent = words.length ? `${count} of ${entries.length} entries` : "";
  };

  search.addEventListener("input", filter);
  box.hidden = false;

  // Links into closed or hidden entries

  const reveal = () => {
    const target = document.getElementById(location.hash.slice(1));
    const details = target?.closest("details");
    if (!target) return;
    if (target.closest("[hidden]") ?? target.querySelector(":scope > [hidden]")) {
      search.value = "";
      filter();
    }
    if (details) details.open = true;
    target.scrollIntoView();
  };

  addEventListener("hashchange", reveal);

  // Requests. The credentials are kept in memory alone, and shared by the forms.

  const credentials = { user: "", token: "" };

  const authorization = () => {
    const { user, token } = credentials;
    if (!token) return {};
    if (!user) return { Authorization: `Bearer ${token}` };
    const bytes = new TextEncoder().encode(`${user}:${token}`);
    return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
  };

  const credential = (text, name, type) => {
    // Without a name, so that no browser ever puts it into a URL.
    const input = make("input", { type, value: credentials[name], autocomplete: "off", spellcheck: false });
    input.dataset.credential = name;
    input.addEventListener("input", () => {
      credentials[name] = input.value.trim();
      for (const other of all(`[data-credential="${name}"]`)) if (other !== input) other.value = input.value;
    });
    return label(text, input);
  };

  const parameter = (entry) => {
    const name = entry.querySelector("dt code").textContent;
    const required = "required" in entry.dataset;
    const example = entry.querySelector(".example code")?.textContent ?? "";
    const allowed = all(".allowed code", entry).map((one) => one.textContent);
    const isList = entry.querySelector(".facts").textContent.includes("list of");
    const input =
      allowed.length && !isList
        ? make("select", {}, ...["", ...allowed].map((value) => make("option", { value }, value)))
        : make("input", { autocomplete: "off", spellcheck: false });
    if (required) input.value = example;
    else if (example) input.placeholder = example;
    input.required = required;
    return { name, place: entry.dataset.in, required, input, label: label(name, input) };
  };

  // JSON on several lines. Parsing would change numbers and their spelling.
  const format = (json) => {
    let depth = 0;
    const line = () => "\n" + "  ".repeat(depth);
    const tokens = json.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g) ?? [];
    return tokens
      .map((token, place) => {
        if (token === ",") return "," + line();
        if (token === ":") return ": ";
        if (token === "{" || token === "[") {
          depth += 1;
          return /[}\]]/.test(tokens[place + 1]?.[0]) ? token : token + line();
        }
        if (token === "}" || token === "]") {
          depth -= 1;
          return /^[{[]$/.test(tokens[place - 1]) ? token : line() + token;
        }
        return token;
      })
      .join("");
  };

  const sample = (name, text) => {
    const pre = make("pre", { tabIndex: 0 }, make("code", {}, text));
    pre.setAttribute("role", "group");
    pre.setAttribute("aria-label", name);
    return [make("h5", {}, name), pre];
  };

  const bodyOf = async (response) => {
    const type = response.headers.get("content-type") ?? "";
    if (!/json|text|xml/.test(type)) return `${(await response.blob()).size} bytes of ${type || "unknown type"}`;
    const text = await response.text();
    const shown = type.includes("json") ? format(text) : text;
    const most = 500000;
    return shown.length > most ? `${shown.slice(0, most)}\n… (cut)` : shown;
  };

  const addForm = (details) => {
    const { methods, server, path, form: contentType } = details.dataset;
    const method = make("select", {}, ...methods.split(" ").map((name) => make("option", {}, name)));
    const parameters = [...all("[data-in]", details), ...all("#parameters [data-in]")].map(parameter);
    const inputs = (wanted) => row(...parameters.filter(wanted).map((one) => one.label));
    const isText = contentType === "application/json";
    const example = details.querySelector(".body-example code")?.textContent ?? "";
    const body = isText
      ? make("textarea", { rows: 12, spellcheck: false, value: example })
      : make("input", { type: "file" });
    const status = make("p");
    status.setAttribute("role", "status");
    const answer = make("div");

    const request = () => {
      let target = path;
      const query = new URLSearchParams();
      const headers = authorization();
      for (const { name, place, input } of parameters) {
        if (place === "path") target = target.replace(`{${name}}`, encodeURIComponent(input.value));
        else if (input.value && place === "query") query.append(name, input.value);
        else if (input.value) headers[name] = input.value;
      }
      let content;
      if (contentType && isText) content = body.value;
      else if (contentType && body.files[0]) content = body.files[0];
      if (content !== undefined && contentType === "multipart/form-data") {
        const file = content;
        content = new FormData();
        content.append("file", file);
      } else if (content !== undefined) {
        headers["Content-Type"] = contentType;
      }
      // The own origin, by whichever name the page was reached.
      const base = new URL(server).pathname.replace(/\/$/, "");
      const url = location.origin + base + target + `?${query}`.replace(/^\?$/, "");
      return [url, { method: method.value, headers, body: content }];
    };

    const send = async () => {
      status.textContent = "Waiting for the response…";
      answer.replaceChildren();
      try {
        const [url, options] = request();
        const start = performance.now();
        const response = await fetch(url, { ...options, credentials: "omit", cache: "no-store" });
        const text = await bodyOf(response);
        const time = Math.round(performance.now() - start);
        status.textContent = `${response.status} ${response.statusText}, after ${time} ms`;
        const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`);
        answer.append(
          ...sample("Request", `${options.method} ${url}`),
          ...sample("Headers of the response", headers.join("\n")),
          ...sample("Body of the response", text),
        );
      } catch (error) {
        status.textContent = `The request failed: ${error.message}`;
      }
    };

    const optional = inputs((one) => !one.required);
    const sheet = make(
      "form",
      { autocomplete: "off" },
      row(credential("User", "user", "text"), credential("Token", "token", "password")),
      make("p", {}, "A token alone suffices. The page forgets it when you leave, and sends it to this server alone."),
      row(label("Method", method)),
      inputs((one) => one.required),
      make("details", {}, make("summary", {}, "Optional parameters"), optional),
      ...(contentType ? [label(`Body (${contentType})`, body)] : []),
      make("button", {}, "Send the request"),
    );
    sheet.addEventListener("submit", (event) => {
      event.preventDefault();
      send();
    });
    const result = make("div", { className: "answer" }, status, answer);
    const section = make("section", { className: "try" }, make("h4", {}, "Try it"), sheet, result);
    details.querySelector(".inside").append(section);
  };

  for (const details of all("details.operation"))
    details.addEventListener("toggle", () => details.querySelector(".try") ?? addForm(details));

  reveal();
})();
