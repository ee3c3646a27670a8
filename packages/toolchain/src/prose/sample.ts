import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readProse } from './check.ts'
import { covers, proseFiles } from './files.ts'
import { isPortuguese, sentencesOf } from './sentences.ts'

export interface Drawn {
  readonly file: string
  readonly line: number
  readonly text: string
}

/** Shorter texts, such as headings and single terms, are not drawn. */
const MIN_WORDS = 4

/** mulberry32: equal seeds give equal numbers on every machine. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * Draws `count` sentences of a workspace, in the order of files and lines. Equal seeds and equal texts give equal
 * draws.
 */
export function drawSentences(root: string, workspace: string, seed: number, count: number): Drawn[] {
  const all = proseFiles(root)
    .filter((file) => covers(workspace, file))
    .flatMap((file) =>
      readProse(file, readFileSync(join(root, file), 'utf8')).passages.flatMap((passage) =>
        sentencesOf(passage)
          .filter(({ plain, words }) => words >= MIN_WORDS && !isPortuguese(plain))
          .map(({ line, text }): Drawn => ({ file, line, text })),
      ),
    )
  const random = randomOf(seed)
  // Fisher–Yates shuffle of the first `drawn` positions.
  const order = all.map((_, index) => index)
  const drawn = Math.min(count, all.length)
  for (let at = 0; at < drawn; at += 1) {
    const other = at + Math.floor(random() * (order.length - at))
    const [a, b] = [order[at] ?? 0, order[other] ?? 0]
    order[at] = b
    order[other] = a
  }
  return order
    .slice(0, drawn)
    .sort((a, b) => a - b)
    .flatMap((index) => all[index] ?? [])
}
