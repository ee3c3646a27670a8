import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { killChild } from '@vigia/testing/kill-child'
import { cleanEnv, repositoryRoot } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'

/**
 * A separate home directory for a client program. The test receives the addresses that the program opens in a browser.
 */
export interface ClientMachine {
  readonly home: string
  /** Environment of the program: its home, a fake browser, and a guard that blocks connections to other hosts. */
  readonly env: Readonly<Record<string, string>>
  /** Arguments for Node that start this program of `node_modules/.bin`. */
  command(bin: string, args: readonly string[]): readonly string[]
  /** Runs the program until it ends. */
  run(bin: string, args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>
  /** The next address that a program opens in a browser. */
  opened(): Promise<string>
  /** Blocked hosts that the program tried to reach, one per line. */
  outside(): Promise<string>
  remove(): Promise<void>
}

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** @param more additional environment of the programs */
export async function createClientMachine(more: Readonly<Record<string, string>> = {}): Promise<ClientMachine> {
  const home = temporaryFolder('vigia-client-')
  const opener = createServer((request, response) => {
    request.setEncoding('utf8')
    let url = ''
    request.on('data', (chunk: string) => {
      url += chunk
    })
    request.on('end', () => {
      opener.emit('opened', url)
      response.end()
    })
  })
  opener.listen(0, '127.0.0.1')
  await once(opener, 'listening')
  const { port } = opener.address() as AddressInfo
  // Fake browser for xdg-open.
  const browser = join(home, 'browser')
  await writeFile(
    browser,
    `#!${process.execPath}\nfetch('http://127.0.0.1:${port}', { method: 'POST', body: process.argv[2] })\n`,
  )
  await chmod(browser, 0o755)
  const outside = join(home, 'outside')
  await writeFile(outside, '')
  const guard = new URL('loopback-only.ts', import.meta.url).href
  const env = Object.fromEntries(
    Object.entries(
      cleanEnv({
        HOME: home,
        BROWSER: browser,
        NODE_OPTIONS: `--import=${guard}`,
        VIGIA_TEST_OUTSIDE: outside,
        ...more,
      }),
    ).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const running = new Set<ChildProcess>()
  const command: ClientMachine['command'] = (bin, args) => [join(repositoryRoot, 'node_modules/.bin', bin), ...args]

  return {
    home,
    env,
    command,
    run: async (bin, args, also = {}) => {
      const child = spawn(process.execPath, command(bin, args), {
        cwd: home,
        env: { ...env, ...also },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      running.add(child)
      const said = { stdout: '', stderr: '' }
      for (const name of ['stdout', 'stderr'] as const)
        child[name].on('data', (chunk: Buffer) => {
          said[name] += chunk.toString()
        })
      const [code] = await once(child, 'close')
      running.delete(child)
      return { code, ...said }
    },
    opened: async () => (await once(opener, 'opened'))[0],
    outside: () => readFile(outside, 'utf8'),
    remove: async () => {
      await Promise.all([...running].map(killChild))
      opener.closeAllConnections()
      opener.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}
