import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '@vigia/testing/free-port'
import { mosquittoProgram, startMosquitto } from '@vigia/testing/mosquitto'
import { type Program, repositoryRoot } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Cluster, startCluster } from '../test/clouds/cluster.ts'
import type { Account, TestApp } from '../test/clouds/test-app.ts'
import { batch, candidate } from '../test/records/records.ts'
import { type StandInEdge, startStandInEdge } from '../test/stand-ins/stand-in-edge.ts'

/** Two replicas and their edges on mosquitto, with the files of deploy/mosquitto. It has no data of the cloud. */
let cluster: Cluster
let one: TestApp
let two: TestApp
let own: Account
let dir = ''
let broker: Program
let ports: { port: number; internalPort: number }
const edges: StandInEdge[] = []

/**
 * Runs the script of the systemd unit, beside the replicas of this process. Returns the calls of `systemctl`, which is
 * a stub.
 */
async function refresh(url: string, ...args: string[]) {
  const bin = join(dir, 'bin')
  const script = spawn(join(repositoryRoot, 'deploy/mosquitto/refresh.sh'), args, {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: {
      PATH: `${bin}:${process.env.PATH}`,
      VIGIA_DATA_DIR: dir,
      VIGIA_CRL_URL: url,
      VIGIA_MOSQUITTO_DIR: join(dir, 'mosquitto/vigia'),
      VIGIA_MOSQUITTO_GROUP: String(process.getgid?.() ?? 0),
    },
  })
  const over = once(script, 'close')
  const stderr = await text(script.stderr)
  const [status] = await over
  const calls = await readFile(join(bin, 'calls'), 'utf8').catch(() => '')
  await rm(join(bin, 'calls'), { force: true })
  return { status, stderr, calls }
}
const list = (app: TestApp) => `${app.url}/pki/crl.pem`

describe.skipIf(mosquittoProgram === null)('replicas on mosquitto (needs mosquitto)', () => {
  beforeAll(async () => {
    ports = { port: await freePort(), internalPort: await freePort() }
    cluster = await startCluster(
      2,
      {
        VIGIA_MQTT_URL: `mqtts://127.0.0.1:${ports.internalPort}`,
        VIGIA_MQTT_URL_EDGES: `mqtts://127.0.0.1:${ports.port}`,
      },
      async (brokerDir, first) => {
        dir = brokerDir
        await rm(join(dir, 'pki'), { recursive: true })
        for (const folder of ['bin', 'mosquitto']) await mkdir(join(dir, folder))
        await writeFile(join(dir, 'bin/systemctl'), `#!/bin/sh\necho "$@" >>"${dir}/bin/calls"\n`)
        await chmod(join(dir, 'bin/systemctl'), 0o755)
        await waitFor('the first list', async () => (await fetch(list(first))).ok)
        expect(await refresh(list(first))).toEqual({ status: 0, stderr: '', calls: '' })
        broker = await startMosquitto({ dataDir: dir, ...ports })
        return broker
      },
    )
    ;[one, two] = cluster.replicas as [TestApp, TestApp]
    own = await one.account('Loja')
    for (let n = 0; n < 4; n += 1) edges.push(await startStandInEdge(own.admin, n % 2 === 0 ? one.url : two.url))
  })
  afterAll(async () => {
    await Promise.all(edges.map((edge) => edge.stop()))
    await cluster?.stop()
    await broker?.stop()
  })

  const connections = (app: TestApp) => app.logText().match(/"msg":"link connected"/g)?.length ?? 0
  const isUp = async (app: TestApp) => {
    const { avisos = [] } = (await (await fetch(`${app.url}/healthz`)).json()) as { avisos?: string[] }
    return !avisos.includes('enlace_fora')
  }

  it('serve every edge, and stay connected at once', async () => {
    for (const [at, edge] of edges.entries()) {
      const { id: cameraId } = await own.admin.expect<{ id: number }>(201, 'POST', '/api/v1/cameras', {
        nome: `Portão ${at}`,
        rtsp_url: `rtsp://127.0.0.9/${at}`,
        edge_id: edge.id,
      })
      const { itens } = await edge.deliver(batch([candidate(cameraId, 1, { crop: null })]))
      expect(itens).toMatchObject([{ resultado: 'gravado' }])
    }
    expect(await Promise.all([one, two].map(isUp))).toEqual([true, true])
    expect([one, two].map((app) => app.logText().includes('link lost'))).toEqual([false, false])
    expect([one, two].map(connections)).toEqual([1, 1])
  })

  it('answer one revocation list, and 304 to its holder', async () => {
    const answers = await Promise.all([one, two].map((app) => fetch(list(app))))
    const [first, second] = await Promise.all(answers.map((answer) => answer.text()))
    expect(first).toBe(second)
    expect(answers[0]?.headers.get('content-type')).toBe('application/x-pem-file')
    const etag = answers[0]?.headers.get('etag') ?? ''
    expect((await fetch(list(two), { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect(await refresh(list(two), '--restart')).toEqual({ status: 0, stderr: '', calls: '' })
  })

  it('keep the list that mosquitto has when the cloud does not answer, or answers something else', async () => {
    const before = await readFile(join(dir, 'mosquitto/vigia/crl.pem'), 'utf8')
    await rm(join(dir, 'mosquitto/vigia/crl.etag'))
    for (const url of ['http://127.0.0.1:1/pki/crl.pem', `${one.url}/login`]) {
      const { status, stderr, calls } = await refresh(url, '--restart')
      expect({ status, calls }).toEqual({ status: 1, calls: '' })
      expect(stderr).toMatch(/continua a anterior/)
      expect((await refresh(url)).status).toBe(0)
    }
    expect(await readFile(join(dir, 'mosquitto/vigia/crl.pem'), 'utf8')).toBe(before)
  })

  it('have mosquitto refuse a revoked edge after the refresh, and no other', async () => {
    const [revoked, ...others] = edges as [StandInEdge, ...StandInEdge[]]
    await own.admin.expect(204, 'DELETE', `/api/v1/edges/${revoked.id}`)
    // The replica that did not revoke it has the new list too.
    expect(await refresh(list(two), '--restart')).toEqual({
      status: 0,
      stderr: '',
      calls: 'restart mosquitto.service\n',
    })
    await broker.stop()
    broker = await startMosquitto({ dataDir: dir, ...ports })
    await waitFor('the other edges', () => others.every((edge) => edge.link.connected))
    await waitFor('both replicas', async () => [one, two].every((app) => connections(app) === 2))
    expect(revoked.link.connected).toBe(false)
  })
})
