import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type AlertStream, openAlertStream } from '@vigia/testing/alert-stream'
import { freePort } from '@vigia/testing/free-port'
import { hasNginx, type Nginx, startNginx } from '@vigia/testing/nginx'
import { repeatRequests } from '@vigia/testing/repeat-requests'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../test/clouds/cluster.ts'
import type { Account, TestApp } from '../test/clouds/test-app.ts'
import { batch, candidate } from '../test/records/records.ts'
import { type StandInEdge, startStandInEdge } from '../test/stand-ins/stand-in-edge.ts'

/**
 * Two replicas behind nginx, with the files of deploy/nginx, except for TLS. `npm run lab -- nginx`: alone on the
 * machine, because it counts requests against the times of a planned stop.
 */
const isWanted = process.env.VIGIA_TEST_NGINX === '1' && hasNginx()

const DRAIN_S = '3'
const PAUSE_MS = 15
let cluster: Cluster
let own: Account
let edge: StandInEdge
let base = ''
let nginx: Nginx
let ports: readonly number[] = []

describe.skipIf(!isWanted)('two replicas behind nginx (needs VIGIA_TEST_NGINX=1 and nginx)', () => {
  beforeAll(async () => {
    ports = [await freePort(), await freePort()]
    cluster = await startCluster(1, { PORT: String(ports[0]), VIGIA_DRENAGEM_S: DRAIN_S })
    await cluster.join({ PORT: String(ports[1]) })
    nginx = await startNginx(ports)
    base = `http://127.0.0.1:${nginx.port}`
    const [one] = cluster.replicas as [TestApp, TestApp]
    own = await one.account('Loja')
    edge = await startStandInEdge(own.admin, base)
  })
  afterAll(async () => {
    await nginx?.close()
    await edge?.stop()
    await cluster?.stop()
  })

  it('restart one after the other without a failed request or a lost alert', async () => {
    const login = { authorization: `Bearer ${own.admin.token}`, 'content-type': 'application/json' }
    // A reload of nginx before 1.27.4 closes idle HTTP/1.1 connections. Browsers then repeat the request, fetch fails.
    const headers = { ...login, connection: 'close' }
    const { id: cameraId } = await own.admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', {
      nome: 'Portão',
      rtsp_url: 'rtsp://127.0.0.9/1',
      edge_id: edge.id,
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
    const endReads = repeatRequests(() => fetch(`${base}/api/v1/cameras`, { headers }), PAUSE_MS)
    const create = (n: number) => JSON.stringify({ nome: `Lista ${n}`, escopo: 'leitura' })
    const endWrites = repeatRequests(
      (n) => fetch(`${base}/api/v1/chaves`, { method: 'POST', headers, body: create(n) }),
      PAUSE_MS,
    )

    let sent = 0
    const sending = repeatRequests(async () => {
      sent += 1
      await send(sent)
      return new Response()
    }, PAUSE_MS)
    for (const [at, port] of ports.entries()) {
      await delay(500)
      await cluster.replicas[at]?.stop()
      await cluster.join({ PORT: String(port) })
      await waitFor('nginx to use it', () => nginx.usesAll())
    }
    await delay(500)
    await sending()
    const [reads, writes] = [await endReads(), await endWrites()]
    await waitFor('every alert', () => new Set(stream.eventos.map(({ id }) => id)).size >= sent)
    stream.close()

    expect(reads.filter((status) => status !== '200')).toEqual([])
    expect(writes.filter((status) => status !== '201')).toEqual([])
    expect(reads.length).toBeGreaterThan(20)
    expect(stream.eventos.map(({ id }) => id)).toEqual([...new Set(stream.eventos.map(({ id }) => id))])
    expect(stream.eventos.length).toBe(sent)
    expect(sent).toBeGreaterThan(10)
  })
})
