import { parseArgs } from 'node:util'

export interface ChaosOptions {
  readonly rounds: number
  readonly seed: number
  readonly broker: 'aedes' | 'mosquitto'
  /** One line for each round. */
  readonly verbose: boolean
}

const USAGE = 'npm run chaos -- [--rounds N] [--seed S] [--broker aedes|mosquitto] [--verbose]'

/** @throws Error with one sentence on what cannot be used */
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
  const rounds = wholeNumber('--rounds', values.rounds, 1)
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : wholeNumber('--seed', values.seed, 0)
  if (values.broker !== 'aedes' && values.broker !== 'mosquitto')
    throw new Error(`--broker is aedes or mosquitto. ${USAGE}`)
  return { rounds, seed, broker: values.broker, verbose: values.verbose }
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text)
  if (!/^\d{1,9}$/.test(text) || value < least) throw new Error(`${name} is a whole number from ${least} on. ${USAGE}`)
  return value
}
