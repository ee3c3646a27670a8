/** Mark of each browser in its user agent; the first match counts, because most agents name several browsers. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bVersion\/.*Safari\//],
] as const

const systems = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows NT/],
  ['macOS', /Macintosh/],
  ['Linux', /Linux/],
] as const

/** `Firefox, Windows`; the agent itself for an unknown one; null without an agent. */
export function browserName(agente: string | null): string | null {
  if (agente === null || agente.trim() === '') return null
  const found = [browsers, systems].flatMap((list) => list.find(([, mark]) => mark.test(agente))?.[0] ?? [])
  return found.length > 0 ? found.join(', ') : agente
}
