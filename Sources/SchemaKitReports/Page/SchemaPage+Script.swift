extension SchemaPage {
  /// The script of the page: it scales pictures, finds tables, and goes from a box to its description.
  ///
  /// A picture lies in a frame that scrolls, so the browser itself moves it by wheel, finger and arrow keys; the script only
  /// sets its size. Nothing is animated. The text is without characters that XML takes for markup.
  static let script = """

    (() => {
      "use strict";
      const field = document.getElementById("filter"), found = document.getElementById("found");
      const hits = document.getElementById("hits"), articles = new Map(), places = new Map();
      if (!field) { return; }
      const all = (selector, root = document) => Array.from(root.querySelectorAll(selector));
      all("article").forEach((article) => articles.set(article.dataset.name, article));

      all(".drawing").forEach((drawing) => {
        const frame = drawing.querySelector(".picture"), svg = frame.querySelector("svg");
        const size = svg.viewBox.baseVal, details = drawing.closest("details");
        let scale = 1, isStarted = false, drag = null, spread = 0;
        // A point of the frame keeps what it shows; without one, that is the middle.
        const zoom = (wanted, x, y) => {
          const outer = frame.getBoundingClientRect(), before = svg.getBoundingClientRect();
          const left = x === undefined ? outer.left + outer.width / 2 : x;
          const top = y === undefined ? outer.top + outer.height / 2 : y;
          const factor = Math.min(4, Math.max(0.02, wanted)) / scale;
          scale *= factor;
          svg.style.width = size.width * scale + "px";
          svg.style.height = size.height * scale + "px";
          const after = svg.getBoundingClientRect();
          frame.scrollLeft += after.left + (left - before.left) * factor - left;
          frame.scrollTop += after.top + (top - before.top) * factor - top;
        };
        const fit = () => Math.min(1, (frame.offsetWidth - 2) / size.width, (frame.offsetHeight - 2) / size.height);
        const scales = { "+": () => scale * 1.25, "=": () => scale * 1.25, "-": () => scale / 1.25, "0": fit, "1": () => 1 };
        const choose = (key) => {
          if (!scales[key]) { return false; }
          zoom(scales[key]());
          found.textContent = "Scale: " + Math.round(scale * 100) + " %";
          return true;
        };
        const start = () => {
          if (isStarted || (details ? !details.open : false)) { return; }
          isStarted = true;
          if (!drawing.classList.contains("large")) { return; }
          // The frame keeps its height, so that nothing below it moves with the scale.
          const height = frame.clientWidth / size.width * size.height;
          frame.style.height = "min(85vh, max(28rem, " + height + "px))";
          zoom(fit());
        };
        // Shows a box in the middle of the frame, large enough to be read.
        const show = (box) => {
          if (details) { details.open = true; }
          start();
          if (0.6 > scale) { zoom(1); }
          const outer = frame.getBoundingClientRect(), inner = box.getBoundingClientRect();
          frame.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
          frame.scrollTop += inner.top + inner.height / 2 - outer.top - outer.height / 2;
          frame.scrollIntoView({ block: "nearest" });
        };
        all(".node", svg).forEach((box) => {
          places.set(box.dataset.name, (places.get(box.dataset.name) || []).concat({ box: box, show: () => show(box) }));
        });

        const tools = drawing.querySelector(".tools");
        tools.hidden = false;
        tools.addEventListener("click", (event) => choose(event.target.value));
        frame.addEventListener("keydown", (event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) { return; }
          if (choose(event.key)) { event.preventDefault(); }
        });
        // Browsers report a pinch on a touchpad as a wheel with Ctrl.
        frame.addEventListener("wheel", (event) => {
          if (!event.ctrlKey) { return; }
          event.preventDefault();
          const steps = Math.max(-25, Math.min(25, event.deltaY * (event.deltaMode ? 20 : 1)));
          zoom(scale * Math.exp(steps * -0.01), event.clientX, event.clientY);
        }, { passive: false });
        frame.addEventListener("touchmove", (event) => {
          const [one, two] = event.touches;
          if (!two) { return; }
          event.preventDefault();
          const now = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
          if (spread > 0) {
            zoom(scale * now / spread, (one.clientX + two.clientX) / 2, (one.clientY + two.clientY) / 2);
          }
          spread = now;
        }, { passive: false });
        frame.addEventListener("touchend", () => { spread = 0; });
        // A finger moves the picture anyway; a press on a scroll bar has the frame itself as its target.
        frame.addEventListener("pointerdown", (event) => {
          const isOther = event.pointerType === "touch" || event.button > 0 || event.target === frame;
          drag = isOther ? null : { x: event.clientX + frame.scrollLeft, y: event.clientY + frame.scrollTop, id: 0 };
        });
        frame.addEventListener("pointermove", (event) => {
          if (event.buttons === 0) { drag = null; }
          if (!drag) { return; }
          const left = drag.x - event.clientX, top = drag.y - event.clientY;
          // The pointer is taken only when it has moved, so that a double click reaches its box.
          if (!drag.id) {
            if (4 > Math.hypot(left - frame.scrollLeft, top - frame.scrollTop)) { return; }
            drag.id = event.pointerId;
            frame.setPointerCapture(drag.id);
          }
          frame.scrollTo(left, top);
        });
        svg.addEventListener("dblclick", (event) => {
          const box = event.target.closest(".node"), article = box ? articles.get(box.dataset.name) : null;
          if (!article) { return; }
          if (article.hidden) { field.value = ""; filter(); }
          location.hash = article.id;
        });
        if (details) { details.addEventListener("toggle", start); }
        start();
      });

      let matches = [], active = -1, shown = -1;
      const open = (isOpen) => {
        hits.hidden = !isOpen || matches.length === 0;
        field.setAttribute("aria-expanded", String(!hits.hidden));
      };
      const mark = (index) => {
        active = index;
        Array.from(hits.children).forEach((hit, place) => hit.setAttribute("aria-selected", String(place === index)));
        if (index === -1) { field.removeAttribute("aria-activedescendant"); return; }
        field.setAttribute("aria-activedescendant", "hit-" + index);
        hits.children[index].scrollIntoView({ block: "nearest" });
      };
      const jump = (index) => {
        mark(index);
        shown = index;
        open(false);
        const list = places.get(matches[index].dataset.name);
        all("svg .hit").forEach((box) => box.classList.remove("hit"));
        list.forEach((place) => place.box.classList.add("hit"));
        list[0].show();
        found.textContent = (index + 1) + " of " + matches.length + ": " + label(matches[index]);
      };
      const label = (article) => article.querySelector("h3 bdi").textContent;
      function filter() {
        const wanted = field.value.trim().toLowerCase();
        const rank = (article) => {
          const at = article.dataset.name.toLowerCase().indexOf(wanted);
          return article.dataset.name.toLowerCase() === wanted ? 0 : at === 0 ? 1 : at > 0 ? 2 : 3;
        };
        matches = [];
        articles.forEach((article, name) => {
          const isFound = article.dataset.words.toLowerCase().includes(wanted);
          article.hidden = !isFound;
          places.get(name).forEach((place) => place.box.classList.toggle("away", !isFound));
          if (isFound) { matches.push(article); }
        });
        all("svg").forEach((svg) => svg.classList.toggle("filtered", wanted !== ""));
        found.textContent = wanted === "" ? "" : matches.length + " of " + articles.size + " shown";
        all("svg .hit").forEach((box) => box.classList.remove("hit"));
        matches = wanted === "" ? [] : matches.sort((one, other) => rank(one) - rank(other));
        hits.replaceChildren(...matches.map((article, index) => {
          const hit = document.createElement("li");
          hit.id = "hit-" + index;
          hit.setAttribute("role", "option");
          hit.textContent = label(article);
          // A column that matches says why its table is listed.
          const column = article.dataset.words.split(" ").find((word) => word.toLowerCase().includes(wanted));
          if (column ? rank(article) === 3 : false) { hit.append(" (" + column + ")"); }
          hit.addEventListener("click", () => jump(index));
          return hit;
        }));
        shown = -1;
        mark(-1);
        open(true);
      }
      field.addEventListener("input", filter);
      field.addEventListener("blur", () => open(false));
      hits.addEventListener("mousedown", (event) => event.preventDefault());
      field.addEventListener("keydown", (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], count = matches.length;
        if (event.key === "Escape") { open(false); }
        if (!step || count === 0) { return; }
        event.preventDefault();
        open(true);
        mark(active === -1 ? (step > 0 ? 0 : count - 1) : (active + step + count) % count);
      });
      // Enter goes to the marked hit, and from there to the next.
      field.form.addEventListener("submit", (event) => {
        event.preventDefault();
        if (matches.length > 0) { jump(active === shown ? (active + 1) % matches.length : active); }
      });
      field.form.hidden = false;
      filter();
    })();

    """
}
