import SchemaKit

extension SchemaPage {
  /// The style sheet; without characters that XML takes for markup.
  static let style = """
    :root { color-scheme: light dark; --back: #fff; --text: #1c2128; --soft: #57606a; --line: #8c959f; --panel: #f3f5f8;
      --link: #0a58ca; --added: #116329; --added-back: #dcf5e3; --changed: #7a4d00; --changed-back: #fff1cc;
      --dropped: #a40e26; --dropped-back: #ffe3e3; }
    @media (prefers-color-scheme: dark) { :root { --back: #14181d; --text: #e6eaef; --soft: #a3adb8; --line: #6e7883;
      --panel: #1f252c; --link: #79b8ff; --added: #7ee096; --added-back: #12321c; --changed: #f2c55c;
      --changed-back: #3a2c05; --dropped: #ff9a9a; --dropped-back: #43161a; } }
    * { box-sizing: border-box; }
    body { margin: 0 auto; padding: 1rem 1.5rem 4rem; max-width: 90rem; background: var(--back); color: var(--text);
      font: 16px/1.5 system-ui, sans-serif; }
    h1 { font-size: 1.6rem; margin: .5rem 0; overflow-wrap: anywhere; }
    h2 { font-size: 1.3rem; margin: 2rem 0 .75rem; border-bottom: 1px solid var(--line); }
    h3 { font-size: 1.05rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
    small, .remark { color: var(--soft); font-weight: normal; }
    a { color: var(--link); }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
    main:focus { outline: none; }
    .skip { position: absolute; left: -100vw; }
    .skip:focus { left: 1rem; top: .5rem; padding: .25rem .75rem; background: var(--back); z-index: 1; }
    nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 1rem; }
    code, pre { font: 13px/1.45 ui-monospace, Menlo, Consolas, monospace; }
    pre { background: var(--panel); padding: .75rem; overflow: auto; max-height: 30rem; border-radius: 5px; }
    article { margin: 0 0 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: 6px; }
    article:target { border: 3px solid var(--link); }
    .wide { overflow-x: auto; }
    table { border-collapse: collapse; min-width: 50%; }
    caption { text-align: left; color: var(--soft); }
    th, td { text-align: left; vertical-align: top; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--panel); }
    ul.plain { list-style: none; padding: 0; }
    ol.steps { padding-left: 1.6rem; }
    ol.steps ul { margin: .25rem 0; padding-left: 1.2rem; color: var(--soft); }
    .badge { display: inline-block; padding: 0 .5rem; border: 1px solid; border-radius: 1rem; font-size: .85rem;
      font-weight: normal; }
    .added { color: var(--added); background: var(--added-back); }
    .changed { color: var(--changed); background: var(--changed-back); }
    .dropped { color: var(--dropped); background: var(--dropped-back); }
    .refused { border-left: 6px solid var(--dropped); padding-left: .75rem; }
    .allowed { border-left: 6px solid var(--line); padding-left: .75rem; }
    #search { position: sticky; top: 0; padding: .5rem 0; background: var(--back); display: flex; flex-wrap: wrap;
      gap: .75rem; align-items: center; }
    [hidden] { display: none !important; }
    input { font: inherit; padding: .3rem .6rem; border: 1px solid var(--line); border-radius: 5px; min-width: 16rem;
      background: var(--back); color: var(--text); }
    .picture { overflow: auto; max-height: 85vh; border: 1px solid var(--line); border-radius: 6px; }
    svg { display: block; }
    svg text { font: 12px ui-monospace, Menlo, Consolas, monospace; fill: var(--text); white-space: pre; }
    svg .head { font-weight: bold; }
    svg .marks { text-anchor: end; fill: var(--soft); }
    svg path { fill: none; stroke: var(--line); stroke-width: 1.3; }
    svg .grip { stroke: transparent; stroke-width: 10; }
    svg .end { stroke: var(--text); fill: var(--back); }
    svg .relation:hover path:not(.grip) { stroke: var(--link); stroke-width: 2.5; }
    svg rect { fill: var(--panel); stroke: var(--line); }
    svg .view rect, svg .missing rect { stroke-dasharray: 6 4; fill: var(--back); }
    svg .virtual rect { stroke-dasharray: 2 3; }
    svg .added rect { fill: var(--added-back); stroke: var(--added); stroke-width: 2.5; }
    svg .changed rect { fill: var(--changed-back); stroke: var(--changed); stroke-width: 2.5; }
    svg .dropped rect { fill: var(--dropped-back); stroke: var(--dropped); stroke-width: 2.5; stroke-dasharray: 9 4; }
    svg .away { opacity: .18; }
    @media print { #search, nav, .skip { display: none; } .picture { max-height: none; overflow: visible; } }

    """

  /// Shows the field for searching and hides what does not match; without characters that XML takes for markup.
  static let script = """

    (function () {
      var field = document.getElementById("filter"), found = document.getElementById("found");
      if (!field) { return; }
      var articles = Array.from(document.querySelectorAll("article")), boxes = {};
      document.querySelectorAll("svg .node").forEach(function (box) { boxes["n" + box.dataset.name] = box; });
      function filter() {
        var wanted = field.value.trim().toLowerCase(), count = 0;
        articles.forEach(function (article) {
          var isFound = article.dataset.words.toLowerCase().includes(wanted), box = boxes["n" + article.dataset.name];
          article.hidden = !isFound;
          if (box) { box.classList.toggle("away", !isFound); }
          if (isFound) { count += 1; }
        });
        found.textContent = wanted === "" ? "" : count + " of " + articles.length + " shown";
      }
      field.addEventListener("input", filter);
      field.form.addEventListener("submit", function (event) { event.preventDefault(); });
      field.form.hidden = false;
      filter();
    })();

    """
}
