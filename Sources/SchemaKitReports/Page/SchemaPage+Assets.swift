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
    #search, .tools { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; padding: .5rem 0; }
    #search { position: sticky; top: 0; margin-top: 2rem; background: var(--back); z-index: 1; }
    #search div { position: relative; }
    #hits { position: absolute; top: 100%; margin: 0; padding: .25rem 0; width: max-content; min-width: 100%; max-width: 85vw;
      max-height: 40vh; overflow: auto; list-style: none; background: var(--back); border: 1px solid var(--line); border-radius: 5px; }
    #hits li { padding: .15rem .6rem; cursor: pointer; overflow-wrap: anywhere; }
    #hits li:hover, #hits [aria-selected=true] { background: var(--panel); outline: 2px solid var(--link);
      outline-offset: -2px; }
    article, section, .picture { scroll-margin-top: 4rem; }
    [hidden] { display: none !important; }
    input, button { font: inherit; padding: .3rem .6rem; border: 1px solid var(--line); border-radius: 5px;
      background: var(--back); color: var(--text); }
    input { min-width: 16rem; }
    button { min-width: 2.4rem; cursor: pointer; }
    button:hover { background: var(--panel); }
    .picture { overflow: auto; max-height: 85vh; border: 1px solid var(--line); border-radius: 6px;
      touch-action: pan-x pan-y; }
    .large .picture { display: flex; }
    .large svg { margin: auto; flex: none; }
    summary { cursor: pointer; }
    svg { display: block; cursor: grab; user-select: none; }
    svg:active { cursor: grabbing; }
    svg text { font: 12px ui-monospace, Menlo, Consolas, monospace; fill: var(--text); white-space: pre;
      text-rendering: geometricPrecision; }
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
    svg.filtered .relations { opacity: .35; }
    svg .hit rect { stroke: var(--link); stroke-width: 5; }
    @media print { #search, .tools, nav, .skip { display: none; }
      .picture { display: block !important; height: auto !important; max-height: none; overflow: visible; }
      svg { max-width: 100%; height: auto !important; } }

    """
}
