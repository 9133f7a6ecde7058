/** Where things stand: the bar, the sidebar, the content, the phone, paper. */
export const LAYOUT = `
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 1rem/1.6 var(--sans); overflow-wrap: break-word; }
a { color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: from-font; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 9; padding: 0.5rem 1rem; background: var(--page); border: 2px solid var(--link); border-radius: 0.4rem; }
.skip:focus { top: 0.5rem; }

.bar { position: sticky; top: 0; z-index: 5; display: flex; align-items: center; gap: 0.75rem 1rem; min-height: 3.5rem; padding: 0.4rem 1.25rem; background: var(--page); border-bottom: 1px solid var(--line); }
.home { color: var(--text); font-weight: 650; text-decoration: none; line-height: 1.25; max-width: 22rem; overflow: hidden; text-overflow: ellipsis; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; }
.home:hover { text-decoration: underline; }
.bar button, .copy { font: inherit; font-size: 0.85rem; color: var(--text); background: var(--panel); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.3rem 0.7rem; cursor: pointer; white-space: nowrap; }
.bar button:hover, .copy:hover { border-color: var(--quiet); }

.search { position: relative; flex: 1 1 14rem; max-width: 34rem; margin-left: auto; }
.search input { width: 100%; font: inherit; font-size: 0.95rem; color: var(--text); background: var(--panel); border: 1px solid var(--quiet); border-radius: 0.5rem; padding: 0.35rem 0.8rem; }
.search input::placeholder { color: var(--quiet); opacity: 1; }
#results { position: absolute; inset: calc(100% + 0.4rem) 0 auto auto; width: max(100%, min(38rem, calc(100vw - 2rem))); max-height: min(32rem, 75vh); overflow-y: auto; background: var(--page); border: 1px solid var(--quiet); border-radius: 0.6rem; box-shadow: 0 8px 30px rgb(0 0 0 / 0.25); padding: 0.3rem; }
#results [role=option] { display: grid; grid-template-columns: 5.5rem 1fr; gap: 0 0.75rem; padding: 0.4rem 0.6rem; border-radius: 0.4rem; cursor: pointer; }
#results [role=option]:hover { background: var(--panel); }
#results [aria-selected=true] { background: var(--accent-ground); box-shadow: inset 3px 0 var(--accent); }
#results .kind { color: var(--quiet); font-size: 0.8rem; padding-top: 0.15rem; }
#results .name { font-family: var(--mono); font-size: 0.9rem; font-weight: 600; overflow-wrap: anywhere; }
#results .said { grid-column: 2; color: var(--quiet); font-size: 0.85rem; }
#results .said:empty { display: none; }
.found { position: absolute; right: 0; top: calc(100% + 0.1rem); margin: 0; font-size: 0.85rem; color: var(--text); background: var(--page); border-radius: 0.4rem; padding: 0 0.5rem; }
#results:not([hidden]) + .found { clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden; white-space: nowrap; }

.columns { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 88rem; margin: 0 auto; }
main { min-width: 0; padding: 1.75rem 1.25rem 4rem; }
article { max-width: 52rem; }
footer { padding: 1.5rem; color: var(--quiet); font-size: 0.85rem; text-align: center; border-top: 1px solid var(--line); }
#sidebar { padding: 1rem 1.25rem 3rem; font-size: 0.9rem; background: var(--page); }
#sidebar h2 { margin: 1.4rem 0 0.3rem; font-size: 0.75rem; letter-spacing: 0.06em; text-transform: uppercase; color: var(--quiet); }
#sidebar ul { list-style: none; margin: 0; padding: 0; }
#sidebar details > ul { margin: 0 0 0.5rem 0.45rem; border-left: 1px solid var(--line); }
#sidebar a { display: block; padding: 0.22rem 0.6rem; color: var(--text); text-decoration: none; border-radius: 0.3rem; overflow-wrap: anywhere; }
#sidebar a:hover { background: var(--panel); }
#sidebar a[aria-current] { background: var(--accent-ground); color: var(--accent); font-weight: 600; }
#sidebar summary { padding: 0.25rem 0.3rem; cursor: pointer; border-radius: 0.3rem; }
#sidebar .elsewhere { margin: 0; }
#sidebar code { background: none; padding: 0; font-size: 0.85rem; }
.count { color: var(--quiet); font-size: 0.8rem; }

@media (min-width: 60rem) {
  .columns { grid-template-columns: 18rem minmax(0, 1fr); }
  #sidebar { position: sticky; top: 3.5rem; align-self: start; height: calc(100vh - 3.5rem); overflow-y: auto; border-right: 1px solid var(--line); }
  main { padding: 2.25rem 3rem 5rem; }
  .menu { display: none; }
}
@media (max-width: 59.99rem) {
  .bar { flex-wrap: wrap; padding: 0.4rem 1rem; }
  .home { flex: 1; font-size: 0.95rem; max-width: none; -webkit-line-clamp: 1; }
  .search { order: 9; flex-basis: 100%; max-width: none; }
  html { scroll-padding-top: 7.5rem; }
  .columns { display: flex; flex-direction: column; }
  main { order: -1; }
  .script #sidebar { position: fixed; inset: 0 auto 0 0; z-index: 8; width: min(20rem, 85vw); overflow-y: auto; visibility: hidden; transform: translateX(-100%); transition: transform 0.18s ease-out, visibility 0s 0.18s; border-right: 1px solid var(--line); box-shadow: 0 0 40px rgb(0 0 0 / 0.35); }
  .script.drawer #sidebar { visibility: visible; transform: none; transition: transform 0.18s ease-out; }
  .drawer body { overflow: hidden; }
  .drawer .columns::before { content: ""; position: fixed; inset: 0; z-index: 7; background: rgb(0 0 0 / 0.5); }
}
@media (prefers-reduced-motion: reduce) { *, ::before, ::after { transition: none !important; animation: none !important; scroll-behavior: auto !important; } }
@media print {
  :root { color-scheme: light; }
  .bar, #sidebar, .skip, .copy, .try, .try-link, footer { display: none !important; }
  .columns { display: block; }
  article { max-width: none; }
  details::details-content { content-visibility: visible; display: block; }
  pre { max-height: none !important; white-space: pre-wrap; }
  section, figure, tr { break-inside: avoid-page; }
  a { color: inherit; }
}
`
