import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { type TrialOptions, WrongCall } from '@vigia/testing/trial'
import { z } from 'zod'

/** Flags of the runner, accepted by each trial. */
const COMMON = { json: { type: 'string' } } as const

export interface Call {
  readonly options: Record<string, unknown>
  /** File for the result; null: none. */
  readonly json: string | null
}

/**
 * Reads the arguments of a trial.
 * @throws {WrongCall} for an unknown flag and for a value that the trial does not accept
 */
export function readOptions(shape: TrialOptions, args: readonly string[]): Call {
  const { json, ...given } = parse(shape, args)
  const result = z.strictObject(shape.shape).safeParse(given)
  if (!result.success)
    throw new WrongCall(result.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('\n'))
  return { options: result.data, json: typeof json === 'string' ? json : null }
}

function parse(shape: TrialOptions, args: readonly string[]): Record<string, unknown> {
  const flags: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(shape.shape).map(([name, field]) => [name, flagOf(field)]),
  )
  try {
    return { ...parseArgs({ args: [...args], options: { ...flags, ...COMMON } }).values }
  } catch (error) {
    if (error instanceof TypeError && 'code' in error) throw new WrongCall(error.message, { cause: error })
    throw error
  }
}

type Field = TrialOptions['shape'][string]

/** Without defaults and marks for optional values. */
function innermost(field: Field): Field {
  return field instanceof z.ZodDefault || field instanceof z.ZodOptional ? innermost(field.unwrap() as Field) : field
}

function flagOf(field: Field): ParseArgsOptionsConfig[string] {
  const inner = innermost(field)
  if (inner instanceof z.ZodBoolean) return { type: 'boolean' }
  return { type: 'string', multiple: inner instanceof z.ZodArray }
}

/** The flags of a trial with the values that they have without being given, for example `[--rounds 10] [--verbose]`. */
export function usageOf(shape: TrialOptions): string {
  return Object.entries(shape.shape)
    .map(([name, field]) => {
      const inner = innermost(field)
      if (inner instanceof z.ZodBoolean) return `[--${name}]`
      const initial = z.safeParse(field, undefined)
      const value = inner instanceof z.ZodEnum ? inner.options.join('|') : name.toUpperCase()
      if (!initial.success) return `--${name} ${value}`
      const shown = inner instanceof z.ZodEnum ? value : (initial.data ?? value)
      return inner instanceof z.ZodArray ? `[--${name} ${value}]…` : `[--${name} ${String(shown)}]`
    })
    .join(' ')
}
