/** Markup that stands in a page as it is. Only `html` makes it, so that a value of a request is never taken for one. */
export interface Html {
  readonly markup: string
}

type Value = string | Html | readonly Html[] | null

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A template of markup: a text in it is escaped, for element content and for attributes in quotes; null is nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  markup: parts.map((part, index) => part + markupOf(values[index] ?? null)).join(''),
})

function markupOf(value: Value): string {
  if (value === null) return ''
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (character) => entities[character] ?? '')
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}
