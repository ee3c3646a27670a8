let current = 'pt-BR'

/** Sets the locale of dates and numbers (BCP 47), once, before the first render. */
export function setLocale(locale: string): void {
  current = locale
}

export const pageLocale = (): string => current

/** A number as the user of the page reads it. */
export const formatNumber = (value: number, options?: Intl.NumberFormatOptions): string =>
  value.toLocaleString(current, options)

/** Compares two names as the user of the page sorts them; `Câmera 2` before `Câmera 10`. */
export const compareNames = (a: string, b: string): number => a.localeCompare(b, current, { numeric: true })

export const inPortuguese = (): boolean => current.startsWith('pt')
