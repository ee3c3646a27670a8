/** Shows the progress of a long run on stderr: one rewritten line on a terminal, otherwise a line at intervals. */
export interface Progress {
  /** `fraction`: 0–1 of the whole; `title`: current work. */
  at(fraction: number, title: string): void
  clear(): void
}

const WIDTH = 30
/** Interval of the lines without a terminal. */
const LINE_EVERY_MS = 15_000

export function createProgress(stderr: NodeJS.WriteStream = process.stderr): Progress {
  let linedAt = performance.now()
  return {
    at(fraction, title) {
      const percent = `${Math.floor(Math.min(1, fraction) * 100)} %`
      if (stderr.isTTY) {
        const done = Math.round(Math.min(1, fraction) * WIDTH)
        stderr.write(`\r\u001b[K[${'█'.repeat(done)}${' '.repeat(WIDTH - done)}] ${percent} ${title}`)
      } else if (performance.now() - linedAt >= LINE_EVERY_MS) {
        linedAt = performance.now()
        stderr.write(`${percent} ${title}\n`)
      }
    },
    clear() {
      if (stderr.isTTY) stderr.write('\r\u001b[K')
    },
  }
}
