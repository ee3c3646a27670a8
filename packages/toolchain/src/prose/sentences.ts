import type { Passage } from './passage.ts'

export interface Sentence {
  readonly line: number
  /** The sentence on one line, otherwise unchanged. */
  readonly text: string
  /** The sentence with `◦` in place of each code span and address. */
  readonly plain: string
  readonly words: number
}

const CODE_OR_ADDRESS = /`[^`]*`|\b(?:https?|rtsp|mqtts?|wss?):\/\/[^\s)>\]]*[^\s)>\].,;:!?]/g
/** Abbreviations whose full stop does not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|min|max|no|sec|fig|art)\.$/i
const END = /[.!?…]["'”’)\]]*\s+(?=["'“‘([]*[\p{Lu}\d◦])/gu

/** Divides a passage into sentences. A table cell counts as one sentence regardless of its punctuation. */
export function sentencesOf({ kind, line, text }: Passage): Sentence[] {
  const codes: string[] = []
  const plain = text.replace(CODE_OR_ADDRESS, (code) => {
    codes.push(code)
    // A code span over two lines keeps its line break, so that line numbers stay correct.
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

/** Whether a text is Portuguese: messages and tests contain the Portuguese texts of the product. */
export function isPortuguese(text: string): boolean {
  let portuguese = (text.match(/[ãõçáéíóúâêôà]/g) ?? []).length
  let english = 0
  for (const word of text.toLowerCase().split(/[^\p{L}]+/u)) {
    if (PORTUGUESE.has(word)) portuguese += 1
    if (ENGLISH.has(word)) english += 1
  }
  return portuguese > english
}
