import { spawn, spawnSync } from 'node:child_process'
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

/**
 * Starts nginx in front of the replicas on these ports of 127.0.0.1, once one is ready.
 * @throws Error if it is not installed
 */
export async function startNginx(ports: readonly number[]): Promise<Nginx> {
  if (!hasNginx()) throw new Error('nginx is not installed (Debian package nginx-light)')
  const dir = temporaryFolder('vigia-nginx-')
  const port = await freePort()
  const shipped = (name: string) => join(repositoryRoot, 'deploy/nginx', name)
  const replicas = join(dir, 'vigia-replicas.conf')
  const addresses = ports.map((each) => `127.0.0.1:${each}`)
  await writeFile(replicas, addresses.map((address) => `server ${address};\n`).join(''))
  const settings = (await readFile(shipped('vigia.conf'), 'utf8'))
    .replaceAll('/etc/nginx/vigia-replicas.conf', replicas)
    .replace('listen 80;', `listen unix:${dir}/plain.sock;`)
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_.*$/gm, '')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${dir}/${name};`)
  const file = join(dir, 'nginx.conf')
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  await writeFile(
    file,
    `daemon off; ${user} pid ${dir}/pid; error_log ${dir}/error.log; worker_processes 2; events {}
    http { access_log off; ${paths.join(' ')} ${settings} }`,
  )
  const nginx = ['-e', `${dir}/error.log`, '-c', file]
  const check = { VIGIA_NGINX_RELOAD: `nginx ${nginx.join(' ')} -s reload`, VIGIA_NGINX_CHECK_S: '0.2' }
  const children = [
    spawn('nginx', nginx, { stdio: 'ignore' }),
    spawn(shipped('vigia-nginx-check.sh'), [replicas, ...addresses], {
      stdio: 'ignore',
      env: { PATH: process.env.PATH, ...check },
    }),
  ]
  const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok
  await waitFor('nginx', isReady)
  return {
    port,
    usesAll: async () => !/down/.test(await readFile(replicas, 'utf8')),
    async close() {
      for (const child of children) {
        const over = once(child, 'exit')
        child.kill('SIGTERM')
        await over
      }
      await rm(dir, { recursive: true, force: true })
    },
  }
}
