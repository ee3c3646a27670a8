/** Languages of the page: the `lng` of i18next. */
export const idiomas = ['pt-BR', 'en'] as const
export type Idioma = (typeof idiomas)[number]

const CHOICE = 'vigia.idioma'

type Stored = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The language that was chosen in this browser; null: the browser's own language applies. */
export function chosenIdioma(stored: Stored): Idioma | null {
  const value = stored.getItem(CHOICE)
  return idiomas.find((idioma) => idioma === value) ?? null
}

/** Stores the choice; null removes it. It applies at the next load of the page. */
export function chooseIdioma(stored: Stored, idioma: Idioma | null): void {
  if (idioma === null) stored.removeItem(CHOICE)
  else stored.setItem(CHOICE, idioma)
}

/**
 * Returns the language of the page, and the locale of its dates and numbers. `languages`: `navigator.languages`, best
 * first. A browser without Portuguese and English gets Portuguese.
 */
export function pickIdioma(
  chosen: Idioma | null,
  languages: readonly string[],
): { readonly idioma: Idioma; readonly locale: string } {
  const base = (tag: string) => tag.toLowerCase().split('-')[0]
  const known = languages.find((tag) => base(tag) === 'pt' || base(tag) === 'en')
  const idioma = chosen ?? (known !== undefined && base(known) === 'en' ? 'en' : 'pt-BR')
  // English has several forms of dates, and the browser's is the one that its user reads.
  const locale = idioma === 'en' ? (languages.find((tag) => base(tag) === 'en') ?? 'en') : idioma
  return { idioma, locale }
}
