/** Actions of a person on a page. */
export interface Actions {
  clicks: number
  /** Typed addresses and texts, chosen options. */
  fields: number
  /** Keys that act by themselves. */
  keys: number
}

/** A step, or the total. */
type StepRow = Readonly<Actions> & {
  readonly step: string
  readonly seconds: number
}

export interface Stopwatch {
  /** Actions since the start of the current step. */
  readonly actions: Actions
  step<T>(name: string, action: () => Promise<T>): Promise<T>
  /** All finished steps and their sum. */
  rows(): StepRow[]
}

const none = (): Actions => ({ clicks: 0, fields: 0, keys: 0 })
const rounded = (row: StepRow): StepRow => ({ ...row, seconds: Number(row.seconds.toFixed(1)) })

/**
 * Measures steps.
 * @param onStep called at the start of each step, with the number of finished steps
 * @param now ms
 */
export function createStopwatch(onStep: (name: string, finished: number) => void, now: () => number): Stopwatch {
  const actions = none()
  const finished: StepRow[] = []
  return {
    actions,
    async step(name, action) {
      onStep(name, finished.length)
      Object.assign(actions, none())
      const begun = now()
      const result = await action().catch((error: unknown) => {
        throw new Error(`the step “${name}” failed`, { cause: error })
      })
      finished.push({ step: name, ...actions, seconds: (now() - begun) / 1000 })
      return result
    },
    rows() {
      const sum = (field: Exclude<keyof StepRow, 'step'>) => finished.reduce((all, row) => all + row[field], 0)
      const total = { clicks: sum('clicks'), fields: sum('fields'), keys: sum('keys'), seconds: sum('seconds') }
      return [...finished, { step: 'total', ...total }].map(rounded)
    },
  }
}
