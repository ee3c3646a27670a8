import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { repositoryRoot } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitFor } from './wait.ts'

/** nginx with the files of `deploy/nginx`, except for TLS, on 127.0.0.1. */
export interface Nginx {
  readonly port: number
  /** Whether nginx gives requests to each replica. */
  usesAll(): Promise<boolean>
  close(): Promise<void>
}

export const hasNginx = (): boolean => spawnSync('nginx', ['-v']).status === 0

const shipped = (name: string) => join(repositoryRoot, 'deploy/nginx', name)

/** A shipped file without TLS, that listens on this port of 127.0.0.1. */
const plain = async (name: string, dir: string, port: number): Promise<string> =>
  (await readFile(shipped(name), 'utf8'))
    .replace('listen 80;', `listen unix:${dir}/plain.sock;`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_.*$/gm, '')

/** Writes the main file around `settings`. Returns the arguments of nginx. */
async function writeMain(dir: string, settings: string): Promise<string[]> {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/${name};`)
  const file = join(dir, 'nginx.conf')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    file,
    `daemon off; ${user} pid ${dir}/pid; error_log ${dir}/error.log; worker_processes 2; events {}
    http { access_log off; ${paths.join(' ')} ${settings} }`,
  )
  return ['-e', `${dir}/error.log`, '-c', file]
}

async function untilReady(address: string): Promise<void> {
  // The first reload closes connections that are kept, and a request of a test could be on its way in one.
  const headers = { connection: 'close' }
  const isReady = async () => (await fetch(address, { headers }).catch(() => null))?.ok
  await waitFor('nginx', isReady, { timeoutMs: 20_000 })
}

/** Ends the programs, then removes their folder. */
async function end(children: readonly ChildProcess[], dir: string): Promise<void> {
  for (const child of children) {
    const over = once(child, 'exit')
    child.kill('SIGTERM')
    await over
  }
  await rm(dir, { recursive: true, force: true })
}

/**
 * Starts nginx in front of the replicas on these ports of 127.0.0.1, once one is ready.
 * @throws Error if it is not installed
 */
export async function startNginx(ports: readonly number[]): Promise<Nginx> {
  if (!hasNginx()) throw new Error('nginx is not installed (Debian package nginx-light)')
  const dir = temporaryFolder('vigia-nginx-')
  const port = await freePort()
  const replicas = join(dir, 'vigia-replicas.conf')
  const addresses = ports.map((each) => `127.0.0.1:${each}`)
  await writeFile(replicas, addresses.map((address) => `server ${address};\n`).join(''))
  const settings = (await plain('vigia.conf', dir, port)).replaceAll('/etc/nginx/vigia-replicas.conf', replicas)
  const nginx = await writeMain(dir, settings)
  const check = { VIGIA_NGINX_RELOAD: `nginx ${nginx.join(' ')} -s reload`, VIGIA_NGINX_CHECK_S: '0.2' }
  const children = [
    spawn('nginx', nginx, { stdio: 'ignore' }),
    spawn(shipped('vigia-nginx-check.sh'), [replicas, ...addresses], {
      stdio: 'ignore',
      env: { PATH: process.env.PATH, ...check },
    }),
  ]
  await untilReady(`http://127.0.0.1:${port}/readyz`)
  return {
    port,
    usesAll: async () => !/down/.test(await readFile(replicas, 'utf8')),
    close: () => end(children, dir),
  }
}

/** Starts nginx with `deploy/nginx/vigia-caminho.conf` on `port`, in front of a ready cloud on `cloudPort`. */
export async function startNginxBelow(port: number, cloudPort: number): Promise<Pick<Nginx, 'close'>> {
  const dir = temporaryFolder('vigia-nginx-')
  const file = await plain('vigia-caminho.conf', dir, port)
  const nginx = await writeMain(dir, file.replace('server 127.0.0.1:8080;', `server 127.0.0.1:${cloudPort};`))
  const children = [spawn('nginx', nginx, { stdio: 'ignore' })]
  await untilReady(`http://127.0.0.1:${port}/vigia/readyz`)
  return { close: () => end(children, dir) }
}
