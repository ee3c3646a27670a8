/** Actions of a person on a page. */
export interface Actions {
  clicks: number
  /** Typed addresses and texts, chosen options. */
  fields: number
  /** Keys that act by themselves. */
  keys: number
}

interface Row extends Readonly<Actions> {
  readonly step: string
  readonly seconds: number
}

export interface Stopwatch {
  /** Actions since the start of the current step. */
  readonly actions: Actions
  /** Runs one step and prints its row. */
  step<T>(name: string, action: () => Promise<T>): Promise<T>
  /** Prints the sum of all finished steps. */
  total(): void
}

const none = (): Actions => ({ clicks: 0, fields: 0, keys: 0 })

/** Measures steps and prints them as a table. @param now ms */
export function createStopwatch(print: (line: string) => void, now: () => number): Stopwatch {
  const actions = none()
  const rows: Row[] = []
  const show = ({ step, clicks, fields, keys, seconds }: Row) =>
    print(`| ${step} | ${clicks} | ${fields} | ${keys} | ${seconds.toFixed(1)} |`)
  return {
    actions,
    async step(name, action) {
      if (rows.length === 0) {
        print('| step | clicks | fields | keys | seconds |')
        print('|---|---:|---:|---:|---:|')
      }
      Object.assign(actions, none())
      const begun = now()
      const result = await action().catch((error: unknown) => {
        throw new Error(`the step “${name}” failed`, { cause: error })
      })
      const row = { step: name, ...actions, seconds: (now() - begun) / 1000 }
      rows.push(row)
      show(row)
      return result
    },
    total() {
      const sum = (field: Exclude<keyof Row, 'step'>) => rows.reduce((all, row) => all + row[field], 0)
      show({
        step: 'total',
        clicks: sum('clicks'),
        fields: sum('fields'),
        keys: sum('keys'),
        seconds: sum('seconds'),
      })
    },
  }
}
