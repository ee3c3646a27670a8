import type { Config } from '../config.ts'
import type { Progress } from './progress.ts'

/** A refusal or a failure that the operator can act on; the message is one Portuguese sentence without a secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

/** Access of a command to its surroundings. */
export interface Context {
  /** @throws ConfigError */
  readonly config: () => Config
  readonly env: Readonly<Record<string, string | undefined>>
  /** Prints one line on stdout. */
  readonly print: (line: string) => void
  /** Asks for a secret text on the terminal. */
  readonly ask: (question: string) => Promise<string>
  readonly progress: Progress
}

/** Options and names of a call, as `parseArgs` returns them. */
interface Given {
  readonly names: readonly string[]
  readonly flags: ReadonlySet<string>
}

/** Runs a command. @returns the exit code */
export type Command = (context: Context, given: Given) => Promise<number>
