// What the browser does by itself: draws the lines the server sends, keeps drafts, moves focus.
// It never decides what is true and never turns text into markup: the server escapes, or
// textContent and value are used here.
(() => {
  const wide = matchMedia("(min-width: 1100px)");
  const find = (selector, root = document) => root.querySelector(selector);
  const reports = (trigger, names) => (name, data = {}) => names.includes(name) && trigger(name, data);
  let look = 0; // the newest look at the page; what older ones still send is dropped
  let session = "";
  let typed = null; // what was in the box when it was sent: Gradio reads it only a little later
  let draft = null; // what is on its way

  const KNOCK = 5000; // ms between two looks whether the server is there
  const KNOCK_LOST = 1500;

  const box = () => find("#message textarea");

  function type(field, text) {
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // ---- conversation

  function element(html) {
    const holder = document.createElement("div");
    holder.innerHTML = html;
    return holder.firstElementChild;
  }

  function reconcile(log, lines) {
    const old = new Map([...log.children].map((node) => [node.dataset.key, node]));
    let place = log.firstElementChild;
    let card = null;
    for (const [key, html] of lines) {
      let node = old.get(key);
      old.delete(key);
      if (!node || node.source !== html) {
        const fresh = element(html);
        fresh.dataset.key = key;
        fresh.source = html;
        if (node) {
          fresh.open = node.open;
          if (place === node) place = fresh;
          const focused = node.contains(document.activeElement);
          node.replaceWith(fresh);
          if (focused) find("summary, button", fresh)?.focus();
        } else if (fresh.matches(".card")) {
          card = fresh;
        }
        node = fresh;
      }
      if (node === place) place = node.nextElementSibling;
      else log.insertBefore(node, place);
    }
    for (const node of old.values()) node.remove();
    return card;
  }

  function conversation(root, trigger, props, watch, names) {
    const log = find(".log", root);
    const report = reports(trigger, names);
    const atEnd = () => log.scrollHeight - log.scrollTop - log.clientHeight < 96;

    function draw() {
      const shown = props.value;
      if (!shown || !shown.lines || shown.look < look) return;
      const follow = shown.look > look || atEnd();
      const answered = find(".card", log)?.contains(document.activeElement);
      look = shown.look;
      restore();
      remember(shown.session);
      log.setAttribute("aria-busy", shown.busy);
      document.body.classList.toggle("busy", shown.busy);
      const card = reconcile(log, shown.lines);
      if (follow || card) log.scrollTop = log.scrollHeight;
      if (card && !box()?.value) find(".no", card).focus({ preventScroll: true });
      if (answered && !find(".card", log)) box()?.focus();
    }

    log.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const card = button.closest(".card");
      if (card) {
        report("answer", {
          card: card.dataset.card,
          answer: button.dataset.answer,
          reason: find("input", card).value,
        });
      } else if ("retry" in button.dataset) report("retry");
      else if (button.dataset.say) report("say", { text: button.dataset.say });
    });
    log.addEventListener(
      "toggle",
      (event) => event.target.open && event.isTrusted && event.target.scrollIntoView({ block: "nearest" }),
      true, // this event does not bubble
    );
    log.addEventListener("keydown", (event) => {
      // Enter in the reason must not answer the card by accident.
      if (event.key === "Enter" && event.target.matches("input")) event.preventDefault();
    });
    watch("value", draw);
    draw();
    toggles();
    addEventListener("pagehide", keep);
    knock();
  }

  function remember(id) {
    session = id;
    const url = new URL(location.href);
    if (url.searchParams.get("session") !== (id || "new")) {
      url.searchParams.set("session", id || "new");
      history.replaceState(null, "", url);
    }
    mark();
  }

  // What the page shows now, for the server; never taken from a response that was dropped.
  const place = () => `${look}/${session}`;

  async function drawn() {
    await new Promise((resolve) => setTimeout(resolve)); // the newest response is drawn by then
    return place();
  }

  function mark() {
    for (const button of document.querySelectorAll("#sessions [data-session]")) {
      if (button.dataset.session === session) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  // ---- composer

  function submitted(text) {
    draft = typed ?? text;
    typed = null;
    return [draft, place()];
  }

  function accepted(props, watch) {
    watch("value", () => {
      const field = box();
      // Only what was sent is taken away: the next message may be half typed already.
      if (field && draft && field.value.startsWith(draft)) type(field, field.value.slice(draft.length));
      draft = null;
      find("#conversation .log").scrollTop = 1e9;
    });
  }

  // ---- sessions

  function sessions(root, trigger, watch, names) {
    const report = reports(trigger, names);
    root.addEventListener("click", (event) => {
      const button = event.target.closest("[data-session]");
      if (!button) return;
      session = button.dataset.session;
      report("open", { id: session });
      if (!wide.matches) panel("left", false);
    });
    watch("value", mark);
    mark();
  }

  // ---- core blocks

  const length = (text) => [...text].length; // characters, as the limit counts them

  function editor(block, report) {
    const root = element(
      '<section class="core-block"><div class="head"><h3></h3><span class="fill"></span></div>' +
        '<p class="about"></p><textarea dir="auto" rows="3" spellcheck="false"></textarea>' +
        '<div class="bar" aria-hidden="true"><i></i></div><div class="changed" role="alert" hidden>' +
        "<p>The agent changed this block while you were editing it.</p>" +
        '<button type="button" data-do="theirs">Show the new text</button>' +
        '<button type="button" data-do="mine">Keep my text</button></div>' +
        '<div class="foot"><p class="said" role="status"></p>' +
        '<button type="button" data-do="save" disabled>Save</button></div></section>',
    );
    const field = find("textarea", root);
    let known = block; // what the draft is based on
    let newest = block;
    let sent = null;

    const dirty = () => field.value !== known.text;
    const say = (text, kind = "") => {
      find(".said", root).textContent = text;
      find(".said", root).dataset.kind = kind;
    };
    function measure() {
      const count = length(field.value);
      const share = count / newest.limit;
      find(".fill", root).textContent =
        `${count.toLocaleString("en")} of ${newest.limit.toLocaleString("en")} characters`;
      find(".bar i", root).style.width = `${Math.min(share, 1) * 100}%`;
      root.dataset.level = share > 1 ? "over" : share > 0.85 ? "near" : "fine";
      field.style.height = "auto";
      if (field.scrollHeight) field.style.height = `${Math.min(field.scrollHeight + 2, 360)}px`;
      find("[data-do=save]", root).disabled = !dirty() || newest.fixed;
      find(".changed", root).hidden = !(dirty() && newest.version !== known.version);
    }
    function take(next) {
      const untouched = !dirty();
      newest = next;
      if (untouched || field.value === next.text) {
        known = next;
        if (field.value !== next.text) field.value = next.text;
      }
      measure();
    }
    function saved(answer) {
      if (answer.kind === "saved") {
        known = newest;
        // What cannot be stored was replaced, and the person has not typed on.
        if (field.value === sent && sent !== newest.text) {
          field.value = newest.text;
          answer.text += " Characters that cannot be stored were replaced.";
        }
      }
      say(answer.text, answer.kind);
      measure();
    }

    find("h3", root).textContent = block.label;
    find("p.about", root).textContent = block.about;
    field.setAttribute("aria-label", `Core memory block ${block.label}`);
    field.value = kept[`block ${block.label}`] ?? block.text;
    field.dataset.label = block.label;
    field.readOnly = block.fixed;
    field.addEventListener("input", () => {
      say("");
      measure();
    });
    root.addEventListener("click", (event) => {
      const what = event.target.closest("[data-do]")?.dataset.do;
      if (what === "theirs") field.value = newest.text;
      if (what === "theirs" || what === "mine") known = newest;
      if (what === "save") {
        sent = field.value;
        report("save", { label: known.label, text: sent, version: `${known.version}` });
      }
      measure();
    });
    new ResizeObserver(measure).observe(root);
    return { root, take, saved };
  }

  function blocks(root, trigger, props, watch, names) {
    const report = reports(trigger, names);
    const editors = new Map();
    let answered = null;
    function draw() {
      const shown = props.value;
      if (!shown || !shown.blocks) return;
      for (const block of shown.blocks) {
        const there = editors.get(block.label);
        if (there) there.take(block);
        else {
          editors.set(block.label, editor(block, report));
          find(".core-blocks", root).append(editors.get(block.label).root);
        }
      }
      if (shown.answer?.at && shown.answer.at !== answered) {
        answered = shown.answer.at;
        editors.get(shown.answer.label)?.saved(shown.answer);
      }
    }
    watch("value", draw);
    draw();
  }

  // ---- a lost server, and drafts over a reload

  const KEPT = "tiered-memory-drafts";

  function store(action) {
    try {
      return action(sessionStorage);
    } catch {
      return null; // a browser that forbids storage keeps no drafts, and all else works
    }
  }

  const kept = store((storage) => JSON.parse(storage.getItem(KEPT))) ?? {};

  function keep() {
    const drafts = { box: box()?.value ?? "" };
    for (const field of document.querySelectorAll(".core-block textarea")) {
      if (!find("[data-do=save]", field.closest(".core-block")).disabled) {
        drafts[`block ${field.dataset.label}`] = field.value;
      }
    }
    store((storage) => storage.setItem(KEPT, JSON.stringify(drafts)));
  }

  function restore() {
    if (kept.box && !box().value) type(box(), kept.box);
    kept.box = "";
  }

  let server = null;

  async function knock() {
    const lost = find("#lost");
    let id = null;
    try {
      const response = await fetch("gradio_api/app_id", { signal: AbortSignal.timeout(4000) });
      id = response.ok ? (await response.text()) : null;
    } catch {
      id = null;
    }
    if (id && ((server && server !== id) || lost)) location.reload();
    server ??= id;
    if (!id && !lost) {
      const told = element('<div id="lost" role="alert"></div>');
      told.textContent = "The server cannot be reached. Trying again; what you typed is kept.";
      document.body.append(told);
    }
    setTimeout(knock, id ? KNOCK : KNOCK_LOST);
  }

  // ---- side panels

  function panel(side, open) {
    const name = wide.matches ? `hide-${side}` : `show-${side}`;
    const on = wide.matches ? !open : open;
    document.body.classList.toggle(name, on);
    if (open && !wide.matches) {
      document.body.classList.remove(side === "left" ? "show-right" : "show-left");
      find(`#${side} [data-close]`)?.focus();
    }
    toggles();
  }

  const isOpen = (side) =>
    document.body.classList.contains(wide.matches ? `hide-${side}` : `show-${side}`) !== wide.matches;

  function toggles() {
    for (const button of document.querySelectorAll("[data-panel]")) {
      button.setAttribute("aria-expanded", isOpen(button.dataset.panel));
    }
  }

  function close(side) {
    panel(side, false);
    find(`[data-panel=${side}]`)?.focus();
  }

  document.addEventListener(
    "click",
    (event) => {
      if (event.target.closest("#send")) typed = box().value;
      // Where a person goes counts from the click on, not from the answer to it.
      if (event.target.closest("#new")) session = "";
    },
    true,
  );
  document.addEventListener("click", (event) => {
    const toggle = event.target.closest("[data-panel]");
    if (toggle) return panel(toggle.dataset.panel, !isOpen(toggle.dataset.panel));
    const closing = event.target.closest("[data-close]");
    if (closing) return close(closing.dataset.close);
    if (event.target.closest("#new") && !wide.matches) panel("left", false);
    const help = find("details.model[open]");
    if (help && !help.contains(event.target)) help.open = false;
    if (!wide.matches && event.target.matches("#columns")) ["left", "right"].filter(isOpen).forEach(close);
  });
  document.addEventListener(
    "keydown",
    (event) => {
      // An Enter that ends the composition of a word does not send it.
      if (event.isComposing && event.key === "Enter") event.stopPropagation();
      else if (event.key === "Enter" && !event.shiftKey && event.target === box()) typed = box().value;
      if (event.key !== "Escape") return;
      if (find("details.model[open]")) find("details.model").open = false;
      else if (!wide.matches) ["left", "right"].filter(isOpen).forEach(close);
    },
    true,
  );
  wide.addEventListener("change", toggles);

  window.tiers = { conversation, place, drawn, submitted, accepted, sessions, blocks };
})();
