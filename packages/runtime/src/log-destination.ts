import { writeSync } from 'node:fs'

/** Destination of a logger's lines. */
export interface LogDestination {
  /** Never throws and never waits longer than `BUSY_WAIT_MS`. */
  write(line: string): void
  /** Number of dropped lines since the start. */
  dropped(): number
}

interface LogDestinationOptions {
  /** File descriptor; standard output unless given. */
  readonly fd?: number
  readonly now?: () => number
}

/** Longest wait for a slow reader of a pipe; then the line is dropped. */
const BUSY_WAIT_MS = 20
const BUSY_STEP_MS = 2
/** Level `warn` of pino. */
const WARN = 40

const sleeper = new Int32Array(new SharedArrayBuffer(4))

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/**
 * Writes lines synchronously; drops and counts lines that cannot be written. After the next successful line one line
 * reports their number. The destination of pino (sonic-boom, `flushSync`) is unusable: it repeats a failed write
 * without end, so that a full disk hangs the process.
 */
export function createLogDestination({ fd = 1, now = Date.now }: LogDestinationOptions = {}): LogDestination {
  let dropped = 0
  let reported = 0
  /** The last line is incomplete, because the disk accepted only its beginning. */
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

/** Ignores failed writes to stdout and stderr (full disk, closed reader), which otherwise end the process. */
export function surviveStdioErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
