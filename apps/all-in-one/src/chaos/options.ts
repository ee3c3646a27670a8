import { parseArgs } from 'node:util'

export interface ChaosOptions {
  readonly rounds: number
  readonly seed: number
  readonly broker: 'aedes' | 'mosquitto'
  /** Prints one line per round. */
  readonly verbose: boolean
}

const USAGE = 'npm run chaos -- [--rounds N] [--seed S] [--broker aedes|mosquitto] [--verbose]'

/** @throws Error with one sentence about the invalid option */
export function readOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '10' },
      seed: { type: 'string' },
      broker: { type: 'string', default: 'aedes' },
      verbose: { type: 'boolean', default: false },
    },
  })
  const rounds = wholeNumber('--rounds', values.rounds, 1, 999_999_999)
  const seed =
    values.seed === undefined
      ? Date.now() % 1_000_000
      : wholeNumber('--seed', values.seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  if (values.broker !== 'aedes' && values.broker !== 'mosquitto')
    throw new Error(`--broker is aedes or mosquitto. ${USAGE}`)
  return { rounds, seed, broker: values.broker, verbose: values.verbose }
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!/^-?\d+$/.test(text) || value < min || value > max)
    throw new Error(`${name} is a whole number from ${min} to ${max}. ${USAGE}`)
  return value
}
