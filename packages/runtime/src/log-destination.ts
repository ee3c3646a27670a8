import { writeSync } from 'node:fs'

/** Where a logger writes its lines. */
export interface LogDestination {
  /** Never throws and never waits longer than `BUSY_WAIT_MS`. */
  write(line: string): void
  /** Lines that were dropped since the start. */
  dropped(): number
}

interface LogDestinationOptions {
  /** File descriptor; standard output unless given. */
  readonly fd?: number
  readonly now?: () => number
}

/** A pipe whose reader is slow takes the line within this time, or the line is dropped. */
const BUSY_WAIT_MS = 20
const BUSY_STEP_MS = 2
/** Level `warn` of pino. */
const WARN = 40

const sleeper = new Int32Array(new SharedArrayBuffer(4))

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/**
 * Writes lines synchronously, drops those that cannot be written and counts them. pino's own destination (sonic-boom, `flushSync`)
 * repeats a failed write for ever: with a full disk the process hangs. After the first line that can be written again follows one
 * line with the number of lines dropped.
 */
export function createLogDestination({ fd = 1, now = Date.now }: LogDestinationOptions = {}): LogDestination {
  let dropped = 0
  let reported = 0
  /** The descriptor ends in the middle of a line, because the disk took only its beginning. */
  let isLineOpen = false
  let wasBusy = false

  function writeAll(bytes: Buffer): boolean {
    let at = 0
    const deadline = performance.now() + (wasBusy ? 0 : BUSY_WAIT_MS)
    while (at < bytes.length) {
      try {
        at += writeSync(fd, bytes, at)
      } catch (error) {
        const isBusy = codeOf(error) === 'EAGAIN'
        if (isBusy && performance.now() < deadline) {
          Atomics.wait(sleeper, 0, 0, BUSY_STEP_MS)
          continue
        }
        wasBusy = isBusy
        if (at > 0) isLineOpen = true
        return false
      }
    }
    wasBusy = false
    isLineOpen = false
    return true
  }

  const writeLine = (line: string): boolean => writeAll(Buffer.from(isLineOpen ? `\n${line}` : line))

  return {
    write(line) {
      if (!writeLine(line)) {
        dropped += 1
        return
      }
      if (dropped === reported) return
      const count = dropped - reported
      const report = { level: WARN, time: now(), linhas: count, msg: 'log lines dropped: they could not be written' }
      if (writeLine(`${JSON.stringify(report)}\n`)) reported = dropped
    },
    dropped: () => dropped,
  }
}

/**
 * A failed `process.stdout.write` or `process.stderr.write` (full disk, reader gone) emits `error`; without a listener that ends
 * the process.
 */
export function surviveStdioErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
