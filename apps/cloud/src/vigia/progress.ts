/** Shows how far a long step is. */
export interface Progress {
  /** Begins a step of `total` units; null: unknown. An earlier step ends. */
  begin(label: string, total: number | null): void
  add(count: number): void
  /** Ends the step, so that the next line of the command begins a new line. */
  end(): void
}

export interface ProgressOptions {
  readonly write: (text: string) => void
  /** true: one bar that is redrawn; false: a line now and then, for a journal or a file. */
  readonly isTerminal: boolean
  readonly columns?: number
  /** Monotonic clock in ms. */
  readonly now?: () => number
}

/** A shorter step shows nothing. */
const FIRST_MS = 2_000
const REDRAW_MS = 200
const LINE_MS = 10_000
const BAR_CHARS = 24

export function createProgress({
  write,
  isTerminal,
  columns = 80,
  now = () => performance.now(),
}: ProgressOptions): Progress {
  let step: { readonly label: string; readonly total: number | null; done: number; shownAt: number } | null = null
  let isDrawn = false
  let timer: NodeJS.Timeout | undefined

  function show(): void {
    if (step === null || now() < step.shownAt) return
    step.shownAt = now() + (isTerminal ? REDRAW_MS : LINE_MS)
    const text = describe(step)
    if (isTerminal) write(`\r\x1b[K${text.slice(0, columns - 1)}`)
    else write(`${text}\n`)
    isDrawn = isTerminal
  }

  function end(): void {
    clearInterval(timer)
    step = null
    if (isDrawn) write('\r\x1b[K')
    isDrawn = false
  }

  return {
    begin(label, total) {
      end()
      step = { label, total, done: 0, shownAt: now() + FIRST_MS }
      timer = setInterval(show, REDRAW_MS)
      timer.unref()
    },
    add(count) {
      if (step === null) return
      step.done += count
      show()
    },
    end,
  }
}

function describe({ label, total, done }: { readonly label: string; readonly total: number | null; done: number }) {
  const count = (value: number) => value.toLocaleString('pt-BR')
  if (!total) return `${label}: ${done === 0 ? '…' : count(done)}`
  const share = Math.min(done / total, 1)
  const filled = Math.round(share * BAR_CHARS)
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_CHARS - filled)
  return `${label} ${bar} ${Math.floor(share * 100)} % (${count(done)} de ${count(total)})`
}
