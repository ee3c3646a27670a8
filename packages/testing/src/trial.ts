import { z } from 'zod'

/** Groups of the list of trials, in their order. */
export const purposes = {
  faults: 'Events and messages while programs, lines, disks and clocks fail',
  load: 'Times, memory and throughput',
  tenants: 'Wrong and hostile input, and one Empresa beside another',
  quality: 'Recognition on labelled footage',
  video: 'Live video, clips and masks',
  screens: 'Pages in a browser',
  releases: 'Upgrades, moves and clusters',
  files: 'Files of the product that a program writes',
} as const
export type Purpose = keyof typeof purposes

/** A line of the table of a trial; its keys are the columns, the same in each row. */
export type Row = Readonly<Record<string, string | number | boolean | null>>

export interface Result {
  readonly passed: boolean
  /** The runner prints them as a table. */
  readonly rows?: readonly Row[]
  /** More than the rows, for `--json` only. */
  readonly figures?: object
}

/** Output of a trial while it runs. */
export interface TrialOutput {
  /** One or more lines on stdout. */
  print(text: string): void
  /** `fraction`: 0–1 of the whole; `title`: current work. Replaces the last progress. */
  progress(fraction: number, title: string): void
}

/** Flags of a trial by their names: strings, numbers (`wholeNumber`, `decimal`), booleans and lists of strings. */
export type TrialOptions = z.ZodObject<z.ZodRawShape>

/**
 * A measurement or proof that is not installed. It is the default export of `apps/<app>/trials/<name>/trial.ts`, which
 * imports its program only within `run`, so that a list of all trials is fast.
 */
export interface Trial<Options extends TrialOptions = TrialOptions> {
  /** Name of its folder. */
  readonly name: string
  readonly purpose: Purpose
  /** One or two sentences: the work, and the condition under which the trial passes. */
  readonly summary: string
  /** Usual duration with the defaults, for example `10 min`. */
  readonly takes: string
  /** Paths from the root. A later change below one of them makes the figures of this trial old. */
  readonly measures: readonly string[]
  /** Whether the dashboard is built first. */
  readonly dashboard?: boolean
  readonly options: Options
  /** @throws when the trial cannot be carried out; this counts as failed. */
  run(options: z.output<Options>, output: TrialOutput): Promise<Result>
}

/**
 * A call that the person must correct; its message says how. A trial also throws it for flags that do not fit together.
 */
export class WrongCall extends Error {}

/** Infers the type of the options of a trial. */
export const defineTrial = <Options extends TrialOptions>(trial: Trial<Options>): Trial<Options> => trial

/** A flag with a whole number within both limits. */
export function wholeNumber(min: number, max: number) {
  const error = `is a whole number from ${min} to ${max}`
  const toNumber = (value: unknown) => (typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value)
  return z.preprocess(toNumber, z.number({ error }).min(min, { error }).max(max, { error }))
}
/** A flag with a number within both limits, also with a decimal point. */
export function decimal(min: number, max: number) {
  const error = `is a number from ${min} to ${max}`
  const toNumber = (value: unknown) =>
    typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  return z.preprocess(toNumber, z.number({ error }).min(min, { error }).max(max, { error }))
}
/** A flag without a value. */
export const flag = () => z.boolean().default(false)
