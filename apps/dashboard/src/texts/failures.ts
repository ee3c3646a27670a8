import english from './en/falhas.json'
import { inPortuguese } from './locale.ts'
import portuguese from './pt-BR/falhas.json'

/** Sentences of the page itself about a failed request. The sentences of the cloud are Portuguese. */
export function failures() {
  const texts: typeof portuguese & typeof english = inPortuguese() ? portuguese : english
  return { ...texts, codigo: (id: string) => texts.codigo.replace('{{id}}', () => id) }
}
