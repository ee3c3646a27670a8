/** A table of figures in a page, with the call that made it. */
export interface Figures {
  /** Path from the root. */
  readonly page: string
  /** Line of the mark, from 1. */
  readonly line: number
  /** Name of the trial. */
  readonly trial: string
  readonly commit: string
  /** ISO 8601, a day. */
  readonly date: string
}

/** The mark above a table; the runner prints its parts below each result. */
const MARK = /^<!-- figures: ([a-z-]+), commit ([0-9a-f]{7,40}), (\d{4}-\d{2}-\d{2}) -->$/

/** @throws Error for a mark that cannot be read */
export function readFigures(page: string, text: string): Figures[] {
  return text.split('\n').flatMap((content, index) => {
    if (!content.startsWith('<!-- figures')) return []
    const [, trial = '', commit = '', date = ''] = MARK.exec(content) ?? []
    const line = index + 1
    if (trial === '')
      throw new Error(`${page}:${line}: not of the form <!-- figures: NAME, commit HASH, YYYY-MM-DD -->`)
    return [{ page, line, trial, commit, date }]
  })
}
