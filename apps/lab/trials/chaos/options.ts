import { parseArgs } from 'node:util'

export interface ChaosOptions {
  readonly rounds: number
  readonly seed: number
  readonly broker: 'aedes' | 'mosquitto'
  /** Replicas of the cloud; 1: one machine with SQLite, unless `banco` is `postgres`. */
  readonly replicas: number
  readonly banco: 'sqlite' | 'postgres'
  /** Prints one line per round. */
  readonly verbose: boolean
}

const USAGE =
  'npm run chaos -- [--rounds N] [--seed S] [--broker aedes|mosquitto] ' + '[--replicas N --banco postgres] [--verbose]'

/** @throws Error with one sentence about the invalid option */
export function readOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '10' },
      seed: { type: 'string' },
      broker: { type: 'string', default: 'aedes' },
      replicas: { type: 'string', default: '1' },
      banco: { type: 'string' },
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
  const replicas = wholeNumber('--replicas', values.replicas, 1, 9)
  const banco = values.banco ?? (replicas > 1 ? 'postgres' : 'sqlite')
  if (banco !== 'sqlite' && banco !== 'postgres') throw new Error(`--banco is sqlite or postgres. ${USAGE}`)
  if (replicas > 1 && banco === 'sqlite') throw new Error(`several replicas need --banco postgres. ${USAGE}`)
  return { rounds, seed, broker: values.broker, replicas, banco, verbose: values.verbose }
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!/^-?\d+$/.test(text) || value < min || value > max)
    throw new Error(`${name} is a whole number from ${min} to ${max}. ${USAGE}`)
  return value
}
