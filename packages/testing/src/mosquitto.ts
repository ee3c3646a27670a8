import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Program, repositoryRoot } from './program.ts'
import { waitFor } from './wait.ts'

/** Program of the Debian package; null if it is not installed. */
export const mosquittoProgram =
  ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find(existsSync) ?? null

/**
 * Starts mosquitto on 127.0.0.1 with the configuration of `deploy/mosquitto` and the certificates of an installation.
 * Its revocation list is the latest one of the cloud, or none.
 * @throws Error if it is not installed
 */
export async function startMosquitto({ dataDir, port }: { dataDir: string; port: number }): Promise<Program> {
  if (mosquittoProgram === null) throw new Error('mosquitto is not installed (Debian package mosquitto)')
  const dir = join(dataDir, 'mosquitto')
  await mkdir(join(dir, 'vigia'), { recursive: true, mode: 0o700 })
  for (const name of ['ca', 'cert', 'key'])
    await copyFile(join(dataDir, 'broker/tls', `${name}.pem`), join(dir, 'vigia', `${name}.pem`))
  const revoked = join(dataDir, 'pki/crl.pem')
  if (existsSync(revoked)) await copyFile(revoked, join(dir, 'vigia/crl.pem'))
  const shipped = (name: string) => readFile(join(repositoryRoot, 'deploy/mosquitto', name), 'utf8')
  await writeFile(join(dir, 'vigia.acl'), await shipped('vigia.acl'))
  const settings = (await shipped('mosquitto.conf'))
    .replaceAll('/etc/mosquitto', dir)
    .replace('/var/lib/mosquitto/', `${dir}/`)
    .replace('listener 8883', `listener ${port} 127.0.0.1`)
    .replace(/^crlfile .*$/m, (line) => (existsSync(revoked) ? line : ''))
  // As root it would otherwise switch to a user without access to the temporary folder.
  const own = process.getuid?.() === 0 ? 'user root\n' : ''
  await writeFile(join(dir, 'mosquitto.conf'), `${settings}\n${own}`)

  const child = spawn(mosquittoProgram, ['-c', join(dir, 'mosquitto.conf')], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-100_000)
    })
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  await waitFor('mosquitto to listen', () => {
    if (child.exitCode !== null) throw new Error(`mosquitto ended: ${output}`)
    return accepts(port)
  })
  return {
    name: 'mosquitto',
    pid: child.pid ?? 0,
    porta: port,
    output: () => output,
    exited,
    send: () => {
      throw new Error('mosquitto has no IPC channel')
    },
    stop: async () => {
      child.kill('SIGTERM')
      return await exited
    },
    kill: async () => {
      child.kill('SIGKILL')
      await exited
    },
    killWhenSilent: async () => {
      throw new Error('mosquitto has no heartbeat')
    },
  }
}

function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => socket.destroy())
  }).finally(() => socket.destroy()) as Promise<boolean>
}
