import type { Passage } from './passage.ts'

export interface Sentence {
  readonly line: number
  /** On one line, as it is written. */
  readonly text: string
  /** The same without code and addresses: each of them is one `◦`. */
  readonly plain: string
  readonly words: number
}

const CODE_OR_ADDRESS = /`[^`]*`|\b(?:https?|rtsp|mqtts?|wss?):\/\/[^\s)>\]]*[^\s)>\].,;:!?]/g
/** A full stop after these ends no sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|min|max|no|sec|fig|art)\.$/i
const END = /[.!?…]["'”’)\]]*\s+(?=["'“‘([]*[\p{Lu}\d◦])/gu

/**
 * Cuts a passage into sentences. A cell of a table is one, whatever its punctuation: it holds a phrase, not a
 * paragraph.
 */
export function sentencesOf({ kind, line, text }: Passage): Sentence[] {
  const codes: string[] = []
  const plain = text.replace(CODE_OR_ADDRESS, (code) => {
    codes.push(code)
    // A code span that is broken over two lines keeps the count of lines.
    return `◦${'\n'.repeat(code.split('\n').length - 1)}`
  })
  const cuts = [0]
  if (kind !== 'cell')
    for (const end of plain.matchAll(END))
      if (!ABBREVIATION.test(plain.slice(0, end.index + 1))) cuts.push(end.index + end[0].length)
  cuts.push(plain.length)
  let code = 0
  return cuts.slice(0, -1).flatMap((from, index) => {
    const part = plain.slice(from, cuts[index + 1])
    const sentence = part.replace(/\s+/g, ' ').trim()
    const written = sentence.replace(/◦/g, () => codes[code++] ?? '').replace(/\s+/g, ' ')
    if (!/\p{L}/u.test(sentence)) return []
    const leading = part.length - part.trimStart().length
    const before = plain.slice(0, from + leading).split('\n').length - 1
    return [{ line: line + before, text: written, plain: sentence, words: wordsOf(sentence) }]
  })
}

const wordsOf = (sentence: string): number => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}◦]/u.test(word)).length

const PORTUGUESE = new Set(
  (
    'o os a as um uma de da do das dos e que não para com em é foi está se por na no nas nos ao à mais já ou esta ' +
    'este isso só há você sem seu sua são'
  ).split(' '),
)
const ENGLISH = new Set(
  'the of and to is in that for it on with are an a by be not has was from this as at or when its no which'.split(' '),
)

/** Texts that people of the product read are Portuguese, and stand beside the English ones in messages and tests. */
export function isPortuguese(text: string): boolean {
  let portuguese = (text.match(/[ãõçáéíóúâêôà]/g) ?? []).length
  let english = 0
  for (const word of text.toLowerCase().split(/[^\p{L}]+/u)) {
    if (PORTUGUESE.has(word)) portuguese += 1
    if (ENGLISH.has(word)) english += 1
  }
  return portuguese > english
}
