import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type AlertStream, openAlertStream } from '@vigia/testing/alert-stream'
import { freePort } from '@vigia/testing/free-port'
import { repositoryRoot } from '@vigia/testing/program'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../test/cluster.ts'
import { batch, candidate } from '../test/records.ts'
import { type StandInEdge, startStandInEdge } from '../test/stand-in-edge.ts'
import type { Account, TestApp } from '../test/test-app.ts'

/**
 * Two replicas behind nginx, with the files of deploy/nginx, except for TLS. `npm run trial:nginx`: alone on the
 * machine, because it counts requests against the times of a planned stop.
 */
const hasNginx = process.env.VIGIA_TEST_NGINX === '1' && spawnSync('nginx', ['-v']).status === 0
if (process.env.VIGIA_TEST_NGINX === '1' && !hasNginx)
  throw new Error('nginx is not installed (Debian package nginx-light)')

const DRAIN_S = '1'
let cluster: Cluster
let own: Account
let edge: StandInEdge
let base = ''
let dir = ''
let ports: readonly string[] = []
const children: ChildProcess[] = []
const shipped = (name: string) => join(repositoryRoot, 'deploy/nginx', name)

async function startNginx(port: number): Promise<void> {
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
    http { access_log ${dir}/access.log; ${paths.join(' ')} ${settings} }`,
  )
  const nginx = ['-e', `${dir}/error.log`, '-c', file]
  const check = { VIGIA_NGINX_RELOAD: `nginx ${nginx.join(' ')} -s reload`, VIGIA_NGINX_CHECK_S: '0.2' }
  children.push(
    spawn('nginx', nginx, { stdio: 'ignore' }),
    spawn(shipped('vigia-nginx-check.sh'), [replicas, ...addresses], {
      stdio: 'ignore',
      env: { PATH: process.env.PATH, ...check },
    }),
  )
  await waitFor('nginx', async () => (await fetch(`${base}/readyz`).catch(() => null))?.ok)
}

/** Repeats a request until the function that it returns is called, which answers the statuses. */
function repeat(request: (n: number) => Promise<Response>): () => Promise<string[]> {
  const results: string[] = []
  let isOver = false
  const loop = (async () => {
    for (let n = 1; !isOver; n += 1) {
      const answer = await request(n).catch((error: Error) => error)
      results.push(answer instanceof Response ? String(answer.status) : String(answer.cause ?? answer))
      if (answer instanceof Response) await answer.arrayBuffer()
      await delay(15)
    }
  })()
  return async () => {
    isOver = true
    await loop
    return results
  }
}

describe.skipIf(!hasNginx)('two replicas behind nginx (Debian package nginx-light)', () => {
  beforeAll(async () => {
    dir = temporaryFolder('vigia-nginx-')
    const port = await freePort()
    ports = [String(await freePort()), String(await freePort())]
    base = `http://127.0.0.1:${port}`
    cluster = await startCluster(1, { PORT: ports[0] ?? '', VIGIA_DRENAGEM_S: DRAIN_S })
    await cluster.join({ PORT: ports[1] ?? '' })
    await startNginx(port)
    const [one] = cluster.replicas as [TestApp, TestApp]
    own = await one.account('Loja')
    edge = await startStandInEdge(own.admin, base)
  }, 60_000)
  afterAll(async () => {
    for (const child of children) {
      const over = once(child, 'exit')
      child.kill('SIGTERM')
      await over
    }
    await edge?.stop()
    await cluster?.stop()
    await rm(dir, { recursive: true, force: true })
  })

  it('restart one after the other without a failed request or a lost alert', async () => {
    const login = { authorization: `Bearer ${own.admin.token}`, 'content-type': 'application/json' }
    // A reload of nginx before 1.27.4 closes idle HTTP/1.1 connections. Browsers then repeat the request, fetch fails.
    const headers = { ...login, connection: 'close' }
    const { id: cameraId } = await own.admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', {
      ...{ nome: 'Portão', rtsp_url: 'rtsp://127.0.0.9/1', edge_id: edge.id },
    })
    const stream: AlertStream = await openAlertStream(
      { base, token: own.admin.token } as Parameters<typeof openAlertStream>[0],
      { todos: true },
    )
    const stored = new Set<string>()
    edge.link.onConfirmations(({ itens }) => {
      for (const { id, resultado } of itens) if (resultado !== 'fora_de_ordem') stored.add(id)
    })
    const send = async (seq: number) => {
      const change = { id: randomUUID() }
      const payload = batch([candidate(cameraId, seq, { crop: null, change })])
      // An edge repeats a batch without an answer: its owner may be in the middle of its stop.
      for (let wait = 0; !stored.has(change.id); wait += 1) {
        if (wait % 20 === 0) await edge.link.publishBatch(payload).catch(() => {})
        await delay(25)
      }
    }
    const endReads = repeat(() => fetch(`${base}/api/v1/cameras`, { headers }))
    const create = (n: number) => JSON.stringify({ nome: `Lista ${n}`, escopo: 'leitura' })
    const endWrites = repeat((n) => fetch(`${base}/api/v1/chaves`, { method: 'POST', headers, body: create(n) }))

    let sent = 0
    const sending = repeat(async () => {
      sent += 1
      await send(sent)
      return new Response()
    })
    for (const [at, port] of ports.entries()) {
      await delay(500)
      await cluster.replicas[at]?.stop()
      await cluster.join({ PORT: port })
      await waitFor(
        'nginx to use it',
        async () => !/down/.test(await readFile(join(dir, 'vigia-replicas.conf'), 'utf8')),
      )
    }
    await delay(500)
    await sending()
    const [reads, writes] = [await endReads(), await endWrites()]
    await waitFor('every alert', () => new Set(stream.eventos.map(({ id }) => id)).size >= sent).catch(async (e) => { console.log('DIAG', sent, stream.eventos.length, stream.eventos.map(({id})=>id).join(), (await readFile(join(dir,'access.log'),'utf8')).split('\n').filter((l)=>/sse/.test(l)).join('\n'), await readFile(join(dir,'error.log'),'utf8')); throw e })
    stream.close()

    expect(reads.filter((status) => status !== '200')).toEqual([])
    expect(writes.filter((status) => status !== '201')).toEqual([])
    expect(reads.length).toBeGreaterThan(20)
    expect(stream.eventos.map(({ id }) => id)).toEqual([...new Set(stream.eventos.map(({ id }) => id))])
    expect(stream.eventos.length).toBe(sent)
    expect(sent).toBeGreaterThan(10)
  })
})
