/** Style of the dashboard's sign-in page, inlined for pages that load no files. */
export const style = `
:root {
  color-scheme: dark light;
  --ground: #0b1016; --surface: #121922; --raised: #18212c; --border: #243141; --edge: #566879;
  --ink: #e8eef5; --ink-soft: #a3b3c2; --accent: #35c9b4; --on-accent: #04211c; --bad: #ff8a80; --care: #f4d35e;
}
@media (prefers-color-scheme: light) {
  :root {
    --ground: #f2f4f7; --surface: #ffffff; --raised: #f7f9fb; --border: #d5dde5; --edge: #7f8c98;
    --ink: #17212b; --ink-soft: #51606d; --accent: #0b7466; --on-accent: #ffffff; --bad: #b3261e; --care: #9a7400;
  }
}
* { box-sizing: border-box; }
body {
  display: grid; place-items: center; min-height: 100dvh; margin: 0; padding: 1.5rem 1rem; color: var(--ink);
  font: 1rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
  background:
    radial-gradient(60rem 40rem at 50% -10%, color-mix(in srgb, var(--accent) 14%, transparent), transparent 70%),
    var(--ground);
}
main {
  width: 100%; max-width: 27rem; padding: 2rem; border: 1px solid var(--border); border-radius: 1rem;
  background: var(--surface); box-shadow: 0 1.5rem 4rem rgb(0 0 0 / 18%); overflow-wrap: anywhere;
}
header { display: flex; flex-direction: column; align-items: center; text-align: center; }
h1 { margin: .5rem 0 0; font-size: 1.45rem; font-weight: 700; letter-spacing: -.01em; line-height: 1.25; }
h2 { margin: 0 0 .35rem; font-size: 1rem; font-weight: 650; }
p, dl, dd { margin: 0; padding: 0; }
.soft { color: var(--ink-soft); }
header .soft { margin-top: .35rem; }
header strong { color: var(--ink); }
form, main > section, main > p { margin-top: 1.25rem; }
.alert, .care {
  --tone: var(--bad);
  padding: .7rem .9rem; border: 1px solid color-mix(in srgb, var(--tone) 55%, transparent); border-radius: .6rem;
  background: color-mix(in srgb, var(--tone) 12%, var(--surface)); font-size: .95rem;
}
.care { --tone: var(--care); }
label.field { display: block; margin-top: 1rem; font-size: .95rem; font-weight: 550; }
input[type=text], input[type=password], select {
  display: block; width: 100%; min-height: 2.75rem; margin-top: .3rem; padding: 0 .8rem; border: 1px solid var(--edge);
  border-radius: .5rem; background: var(--surface); color: var(--ink); font: inherit;
}
button, .button {
  display: flex; align-items: center; justify-content: center; width: 100%; min-height: 2.75rem; padding: .4rem 1rem;
  border: 1px solid var(--edge); border-radius: .5rem; background: none; color: var(--ink); font: inherit;
  font-weight: 600;
  text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { background: var(--raised); }
button.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
button.main:hover { background: color-mix(in srgb, var(--accent) 88%, var(--ink)); }
form > button { margin-top: 1.5rem; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
.facts { padding: .9rem 1rem; border: 1px solid var(--border); border-radius: .6rem; background: var(--raised); }
.facts dt { color: var(--ink-soft); font-size: .875rem; }
.facts dd + dt { margin-top: .6rem; }
.facts dd { font-weight: 550; }
fieldset { margin: 0; padding: 0; border: 0; }
legend { padding: 0; font-weight: 650; }
.choice {
  display: grid; grid-template-columns: auto 1fr; gap: .1rem .7rem; margin-top: .6rem; padding: .8rem .9rem;
  border: 1px solid var(--edge); border-radius: .6rem; cursor: pointer;
}
.choice:has(:checked) { border-color: var(--accent); background: color-mix(in srgb, var(--accent) 10%, transparent); }
.choice input { width: 1.15rem; height: 1.15rem; margin: .15rem 0 0; accent-color: var(--accent); }
.choice strong { font-weight: 600; }
.choice .soft { grid-column: 2; font-size: .925rem; }
.decision { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-top: 1.5rem; }
.small { font-size: .9rem; }
/* Ignores a click that started on a window in front of this one: the buttons accept clicks .5 s after the pointer. */
@keyframes arrive { from { pointer-events: none; } }
@media (hover: hover) { .decision:hover button { animation: arrive .5s step-end; } }
@media (max-width: 30em) { main { padding: 1.5rem 1.25rem; } }
@media (max-width: 24em) { .decision { grid-template-columns: 1fr; } }
`
