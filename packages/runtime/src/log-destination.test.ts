import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLogDestination } from './log-destination.ts'

const LINE = `${JSON.stringify({ msg: 'x'.repeat(3_000) })}\n`

describe('a log destination that cannot be written', () => {
  let dir = ''
  let fd = -1
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'vigia-log-'))
  })
  afterEach(() => {
    closeSync(fd)
    rmSync(dir, { recursive: true, force: true })
  })

  /** Both ends of a pipe of 64 KiB in one non-blocking descriptor. */
  const openPipe = () => {
    const path = join(dir, 'pipe')
    spawnSync('mkfifo', [path])
    return openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  }
  const readAll = () => {
    const buffer = Buffer.alloc(1024 * 1024)
    return buffer.subarray(0, readSync(fd, buffer)).toString()
  }

  it('drops and counts every line when the disk is full', () => {
    fd = openSync('/dev/full', 'w')
    const destination = createLogDestination({ fd })
    for (let i = 0; i < 1_000; i += 1) destination.write(LINE)
    expect(destination.dropped()).toBe(1_000)
  })

  it('waits once for a slow reader, then drops lines at once, and later reports their number', () => {
    fd = openPipe()
    const destination = createLogDestination({ fd, now: () => 7 })
    const waits = vi.spyOn(Atomics, 'wait')
    for (let i = 0; i < 1_000; i += 1) destination.write(LINE)
    // 20 ms in steps of 2 ms, once.
    expect(waits.mock.calls.length).toBeLessThanOrEqual(10)
    waits.mockRestore()
    const dropped = destination.dropped()
    const written = readAll().split('\n').slice(0, -1)
    expect(written.length + dropped).toBe(1_000)

    destination.write('{"msg":"again"}\n')
    const lines = readAll().split('\n').slice(0, -1)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { msg: 'again' },
      { level: 40, time: 7, linhas: dropped, msg: expect.any(String) },
    ])
    destination.write('{"msg":"later"}\n')
    expect(readAll()).toBe('{"msg":"later"}\n')
  })

  it('ends an incomplete line before the next one', () => {
    fd = openPipe()
    const destination = createLogDestination({ fd })
    const longLine = `${JSON.stringify({ msg: 'x'.repeat(100_000) })}\n`
    destination.write(longLine)
    expect(destination.dropped()).toBe(1)
    const beginning = readAll()
    destination.write('{"msg":"again"}\n')
    const [rest, next] = readAll().split('\n')
    expect(rest).toBe('')
    expect(longLine.startsWith(beginning)).toBe(true)
    expect(next).toBe('{"msg":"again"}')
  })
})
