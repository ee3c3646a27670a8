/** Text for a comparison: without case, accents and outer spaces. */
export const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim()

/** Whether each word of `search` is in one of `texts`. */
export function hasWords(search: string, texts: readonly string[]): boolean {
  const all = plain(texts.join(' '))
  return plain(search)
    .split(/\s+/)
    .every((word) => all.includes(word))
}
