import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const program = fileURLToPath(new URL('./testing/notifying-program.ts', import.meta.url))
const has = (command: string) => spawnSync(command, ['--version']).status === 0
/**
 * Receiver of $NOTIFY_SOCKET in Perl, because Node has no AF_UNIX datagram sockets. Prints each datagram on one line.
 */
const RECEIVER = `
  use Socket; $| = 1;
  socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die; bind($s, pack_sockaddr_un($ARGV[0])) or die;
  print "ready\\n"; while (defined(recv($s, my $m, 4096, 0))) { $m =~ s/\\n/ /g; print "$m\\n" }`

describe.skipIf(!has('systemd-notify') || !has('perl'))('under systemd (needs systemd-notify and perl)', () => {
  let dir: string
  const children: ChildProcess[] = []
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'vigia-notify-'))
  })
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const over = once(child, 'exit')
      child.kill('SIGKILL')
      await over
    }
    rmSync(dir, { recursive: true })
  })

  it('announces long steps, reports readiness, beats, and is silent while its event loop is blocked', async () => {
    const socket = join(dir, 'notify')
    const receiver = spawn('perl', ['-e', RECEIVER, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(receiver)
    let received = ''
    receiver.stdout.on('data', (chunk) => {
      received += chunk
    })
    await once(receiver.stdout, 'data')
    const env = { PATH: process.env.PATH, NOTIFY_SOCKET: socket, WATCHDOG_USEC: '600000' }
    children.push(spawn(process.execPath, [program], { env, stdio: 'inherit' }))
    const messages = () => received.split('\n').filter((line) => !['', 'ready', 'BARRIER=1'].includes(line))
    const beats = () => messages().filter((line) => line === 'WATCHDOG=1').length
    while (beats() < 2) await once(receiver.stdout, 'data')
    expect(messages().slice(0, 4)).toEqual([
      'EXTEND_TIMEOUT_USEC=300000000',
      'EXTEND_TIMEOUT_USEC=60000000',
      'READY=1',
      'WATCHDOG=1',
    ])
    await delay(1_200)
    const before = beats()
    await delay(800)
    expect(beats()).toBe(before)
  })
})
