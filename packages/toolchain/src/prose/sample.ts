import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mulberry32 } from '@vigia/testing/random'
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
  const random = mulberry32(seed)
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

/** Prints such a draw for a reader. */
export function printSample(root: string, workspace: string, seed: number, count: number): void {
  const drawn = drawSentences(root, workspace, seed, count)
  if (drawn.length === 0) process.stderr.write(`No sentence belongs to ${workspace}.\n`)
  for (const [index, { file, line, text }] of drawn.entries())
    process.stdout.write(`${String(index + 1).padStart(2)}. ${text}\n    ${file}:${line}\n`)
}
