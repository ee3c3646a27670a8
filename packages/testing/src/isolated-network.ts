import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Two machines with one cable between them: two network namespaces, connected by a veth pair. Requires no root and
 * changes nothing of the real machine's network. A program runs on a machine if it is started with its `execPath`.
 */
export interface IsolatedNetwork {
  readonly near: { readonly execPath: string }
  readonly far: { readonly execPath: string }
  close(): void
}

/** Name of the interface on both machines. */
const INTERFACE = 'lan0'
/** Maps the caller to root of the namespace, because only root may configure interfaces. */
const NEAR = ['--user', '--map-root-user', '--net']
const HOLD = 'echo ready && exec sleep infinity'

/**
 * @param addresses of the interface of each machine, in CIDR notation
 * @returns null, after a line on standard error, where namespaces are not allowed
 */
export async function startIsolatedNetwork(addresses: {
  readonly near: readonly string[]
  readonly far: readonly string[]
}): Promise<IsolatedNetwork | null> {
  const base = mkdtempSync(join(tmpdir(), 'vigia-network-'))
  const holders: ChildProcess[] = []
  const close = () => {
    for (const holder of holders) holder.kill('SIGKILL')
    rmSync(base, { recursive: true, force: true })
  }
  const hold = async (command: string, args: readonly string[]): Promise<number> => {
    const holder = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    holders.push(holder)
    await ready(holder)
    return holder.pid ?? 0
  }
  const within = (pid: number) => ['--preserve-credentials', '--user', '--net', '--target', String(pid)]
  const configure = (pid: number, ...command: readonly string[]) => {
    const { status, stderr, error } = spawnSync('nsenter', [...within(pid), 'ip', ...command], { encoding: 'utf8' })
    if (status !== 0) throw new Error(error?.message ?? `ip ${command.join(' ')}: ${stderr.trim()}`)
  }
  try {
    const near = await hold('unshare', [...NEAR, 'sh', '-c', HOLD])
    const enterUser = ['--preserve-credentials', '--user', '--target', String(near)]
    const far = await hold('nsenter', [...enterUser, 'unshare', '--net', 'sh', '-c', HOLD])
    configure(near, 'link', 'add', INTERFACE, 'type', 'veth', 'peer', 'name', INTERFACE, 'netns', String(far))
    const machines = [
      [near, addresses.near],
      [far, addresses.far],
    ] as const
    for (const [pid, cidrs] of machines) {
      for (const cidr of cidrs) configure(pid, 'addr', 'add', cidr, 'dev', INTERFACE)
      configure(pid, 'link', 'set', INTERFACE, 'up')
      configure(pid, 'link', 'set', 'lo', 'up')
    }
    const wrapper = (name: string, pid: number) => {
      const execPath = join(base, name)
      writeFileSync(execPath, `#!/bin/sh\nexec nsenter ${within(pid).join(' ')} '${process.execPath}' "$@"\n`)
      chmodSync(execPath, 0o755)
      return { execPath }
    }
    return { near: wrapper('near', near), far: wrapper('far', far), close }
  } catch (error) {
    close()
    process.stderr.write(`a network of its own cannot be had here: ${(error as Error).message}\n`)
    return null
  }
}

/** Resolves when the namespace exists; rejects with the reason when it cannot be created. */
const ready = (holder: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let complaint = ''
    holder.stderr?.on('data', (chunk) => {
      complaint += chunk
    })
    holder.stdout?.once('data', () => resolve())
    holder.once('error', reject)
    holder.once('close', () => reject(new Error(complaint.trim() || 'the namespace ended')))
  })
