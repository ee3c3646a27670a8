import { spawn } from 'node:child_process'
import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { type Program, repositoryRoot } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitFor } from './wait.ts'

/** Program of the Debian package; null if it is not installed. */
export const mosquittoProgram =
  ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find(existsSync) ?? null

/**
 * Starts mosquitto on 127.0.0.1 with the configuration of `deploy/mosquitto` and the certificates of an installation.
 * Its revocation list is the latest one of the cloud, else that of `mosquitto/vigia` in the folder, or none.
 * @throws Error if it is not installed
 */
export async function startMosquitto({
  dataDir,
  port,
  internalPort,
}: {
  dataDir: string
  port: number
  /** Port of the listener for replicas of the cloud; default: a free port. */
  internalPort?: number
}): Promise<Program> {
  if (mosquittoProgram === null) throw new Error('mosquitto is not installed (Debian package mosquitto)')
  const dir = join(dataDir, 'mosquitto')
  await mkdir(join(dir, 'vigia'), { recursive: true, mode: 0o700 })
  for (const name of ['ca', 'cert', 'key'])
    await copyFile(join(dataDir, 'broker/tls', `${name}.pem`), join(dir, 'vigia', `${name}.pem`))
  const [revoked, list] = [join(dataDir, 'pki/crl.pem'), join(dir, 'vigia/crl.pem')]
  if (existsSync(revoked)) await copyFile(revoked, list)
  const shipped = (name: string) => readFile(join(repositoryRoot, 'deploy/mosquitto', name), 'utf8')
  for (const name of ['vigia.acl', 'vigia-interno.acl']) await writeFile(join(dir, name), await shipped(name))
  const settings = (await shipped('mosquitto.conf'))
    .replaceAll('/etc/mosquitto', dir)
    .replace('/var/lib/mosquitto/', `${dir}/`)
    .replace('listener 8883', `listener ${port} 127.0.0.1`)
    .replace(/^listener 8884.*$/m, `listener ${internalPort ?? (await freePort())} 127.0.0.1`)
    .replace(/^crlfile .*$/gm, (line) => (existsSync(list) ? line : ''))
  await writeFile(join(dir, 'mosquitto.conf'), `${settings}\n${asRoot()}`)
  return runMosquitto(join(dir, 'mosquitto.conf'), port)
}

/** As root it would otherwise switch to a user without access to the temporary folder. */
const asRoot = () => (process.getuid?.() === 0 ? 'user root\n' : '')

async function runMosquitto(configFile: string, port: number): Promise<Program> {
  if (mosquittoProgram === null) throw new Error('mosquitto is not installed (Debian package mosquitto)')
  const child = spawn(mosquittoProgram, ['-c', configFile], { stdio: ['ignore', 'pipe', 'pipe'] })
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

/**
 * Starts mosquitto on a free port of 127.0.0.1, as the broker of a customer with one login.
 * @param tls key and certificate in PEM; without them, it serves no TLS
 */
export async function startCustomerBroker(
  login: { usuario: string; senha: string },
  tls?: { readonly key: string; readonly cert: string },
): Promise<Program> {
  const dir = temporaryFolder('vigia-mosquitto-')
  const port = await freePort()
  const [salt, rounds] = [randomBytes(12), 101]
  // Format of mosquitto_passwd: $7$rounds$salt$PBKDF2-SHA512.
  const hash = pbkdf2Sync(login.senha, salt, rounds, 64, 'sha512').toString('base64')
  await writeFile(join(dir, 'senhas'), `${login.usuario}:$7$${rounds}$${salt.toString('base64')}$${hash}\n`)
  const settings = [`listener ${port} 127.0.0.1`, 'allow_anonymous false', `password_file ${join(dir, 'senhas')}`]
  for (const name of tls ? (['key', 'cert'] as const) : []) {
    await writeFile(join(dir, name), tls?.[name] ?? '', { mode: 0o600 })
    settings.push(`${name}file ${join(dir, name)}`)
  }
  await writeFile(join(dir, 'mosquitto.conf'), `${settings.join('\n')}\n${asRoot()}`)
  return runMosquitto(join(dir, 'mosquitto.conf'), port)
}
