import { execFile, spawnSync } from 'node:child_process'
import { randomUUID, X509Certificate } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Camera } from '@vigia/contracts/cameras'
import type { Desejado, Relato, Renovado } from '@vigia/contracts/edge-state'
import type { Ativado, Edge } from '@vigia/contracts/edges'
import { createEdgeLink, type EdgeLink } from '@vigia/link/edge-link'
import { createCsr } from '@vigia/link/pki/csr'
import { certificateSha256 } from '@vigia/link/pki/fingerprint'
import { loadX509 } from '@vigia/link/pki/x509'
import { createSealKeyPair, type SealPrivateJwk, unseal } from '@vigia/link/sealed'
import { createMemoryLog } from '@vigia/link/testing/installation'
import { fixture } from '@vigia/testing/fixture'
import { waitFor } from '@vigia/testing/wait'
import { afterEach, describe, expect, it } from 'vitest'
import { startAppWithBroker } from '../../../test/clouds/app-with-broker.ts'
import { openBackstage } from '../../../test/clouds/backstage.ts'
import { batch, gap } from '../../../test/records/records.ts'
import { storedText } from '../../../test/stores/stored-store.ts'

const run = promisify(execFile)
const MINUTE = 60_000
const URL = 'rtsp://admin:segredo@127.0.0.1:1/1'

interface Tls {
  readonly ca: string
  readonly cert: string
  readonly key: string
}
/** Edges in these tests are activated through the API and connect to a real broker. */
interface ActiveEdge {
  readonly id: number
  readonly tls: Tls
  readonly ativado: Ativado
  readonly privateJwk: SealPrivateJwk
  readonly end: End
}
/** One run of the edge program. */
interface End {
  readonly link: EdgeLink
  readonly instancia: string
  readonly desired: Desejado[]
  readonly renewed: Renovado[]
  /** Number of refusals by the broker. */
  refusals(): number
}

const app = fixture(startAppWithBroker)
const backstage = fixture(() => openBackstage(app))
const admin = fixture(async () => (await app.account('Padaria')).admin)
const ends: End[] = []

const report = (end: End, tls: Tls, change: Partial<Relato> = {}): Relato => ({
  v: 1,
  config_versao: end.desired.at(-1)?.versao ?? 0,
  versao: '0.1.0',
  instancia: end.instancia,
  enviado_em: Date.now(),
  relogio: { desvio_ms: 3, sincronizado: true },
  certificado: { sha256: certificateSha256(tls.cert), vence_em: new X509Certificate(tls.cert).validToDate.getTime() },
  cameras: [],
  fila: 0,
  fila_memoria: 0,
  disco_gravavel: true,
  disco: { total: 100, livre: 40 },
  memoria: null,
  cpu: 0.2,
  temperatura: 51,
  ...change,
})

/** Starts an edge program that reports on each connection, like the real one. */
function connect(id: number, url: string, tls: Tls): End {
  const log = createMemoryLog()
  const link = createEdgeLink({ url, edgeId: id, tls: () => tls, log, backoff: { minMs: 50, maxMs: 300 } })
  const refusals = () => log.lines.filter((line) => line.includes('Not authorized')).length
  const end: End = { link, instancia: randomUUID(), desired: [], renewed: [], refusals }
  link.onDesired((desejado) => void end.desired.push(desejado))
  link.onRenewed((renovado) => void end.renewed.push(renovado))
  link.onConnection((up) => (up ? link.publishReport(report(end, tls)) : undefined))
  link.start()
  ends.push(end)
  return end
}

/** Exchanges the code for a certificate without connecting. */
async function activate(edge: { id: number; codigo: string }): Promise<Omit<ActiveEdge, 'end'>> {
  const { csrPem, privateKeyPem } = await createCsr()
  const { publicJwk, privateJwk } = await createSealKeyPair()
  const body = { codigo: edge.codigo, csr: csrPem, chave_cifra: publicJwk }
  const ativado = await admin.expect<Ativado>(200, 'POST', '/api/v1/edges/ativar', body)
  const tls = { ca: ativado.ca, cert: ativado.certificado, key: privateKeyPem }
  return { id: edge.id, tls, ativado, privateJwk }
}

async function start(active: Omit<ActiveEdge, 'end'>): Promise<ActiveEdge> {
  const end = connect(active.id, active.ativado.mqtt.url, active.tls)
  await waitFor('the edge to be connected', () => end.link.connected)
  return { ...active, end }
}
const activateEdge = async (edge: { id: number; codigo: string }) => start(await activate(edge))

const newEdge = () => admin.expect<Edge & { codigo: string }>(201, 'POST', '/api/v1/edges', { nome: 'Caixa' })
const newCode = async (id: number) => ({
  id,
  codigo: (await admin.expect<{ codigo: string }>(201, 'POST', `/api/v1/edges/${id}/codigo`)).codigo,
})
const edgeNow = (id: number) => admin.expect<Edge>(200, 'GET', `/api/v1/edges/${id}`)
const newest = (end: End) => end.desired.at(-1)
const crlPath = () => join(app.dataDir, 'pki/crl.pem')
const hasOpenssl = spawnSync('openssl', ['version']).status === 0
const openssl = async (...args: string[]) => (await run('openssl', args)).stdout
const revokedSerials = async () => {
  const { X509Crl } = await loadX509()
  return new X509Crl(await readFile(crlPath(), 'utf8')).entries.map(({ serialNumber }) => serialNumber.toUpperCase())
}
const serialOf = (pem: string) => new X509Certificate(pem).serialNumber
const certificates = (id: number) =>
  backstage.db.selectFrom('certificados_edge').selectAll().where('edge_id', '=', id).orderBy('id').execute()

// A refused edge retries and would slow down the next test.
afterEach(() => Promise.all(ends.splice(0).map(({ link }) => link.stop())))

describe('replacement hardware for an edge', () => {
  it('keeps cameras, configuration and numbers and disconnects the old one within seconds', async () => {
    const edge = await newEdge()
    const old = await activateEdge(edge)
    expect(old.ativado.sequencias).toEqual({})
    const body = { nome: 'Portão', rtsp_url: URL, edge_id: edge.id, eventos_habilitados: ['invasao'] }
    const camera = await admin.expect<Camera>(201, 'POST', '/api/v1/cameras', body)
    const first = await waitFor('the camera', () => old.end.desired.find(({ cameras }) => cameras.length === 1))
    await admin.expect(200, 'PATCH', `/api/v1/edges/${edge.id}`, { limite_reenvio_kbps: 256 })
    const before = await waitFor('the limit', () =>
      old.end.desired.find(({ limite_reenvio_kbps }) => limite_reenvio_kbps === 256),
    )
    expect(before.versao).toBeGreaterThan(first.versao)
    expect(before.cameras[0]?.ultimo_seq).toBe(0)
    const answers: string[] = []
    old.end.link.onConfirmations(({ itens }) => void answers.push(...itens.map(({ resultado }) => resultado)))
    await old.end.link.publishBatch(batch([gap(camera.id, 1, 41)]))
    await waitFor('the record to be stored', () => answers.includes('gravado'))
    // A new sequence number does not raise the version of the configuration.
    const { desejado_versao } = await backstage.db
      .selectFrom('edges')
      .select('desejado_versao')
      .where('id', '=', edge.id)
      .executeTakeFirstOrThrow()
    expect(desejado_versao).toBe(before.versao)
    // A restarted program may have lost its numbers: it receives them without a new version.
    await old.end.link.publishReport(report(old.end, old.tls, { instancia: randomUUID() }))
    await waitFor('the count', () => newest(old.end)?.cameras[0]?.ultimo_seq === 41)
    expect(newest(old.end)?.versao).toBe(before.versao)

    let isCut = false
    old.end.link.onConnection((up) => {
      if (!up) isCut = true
    })
    const activated = await activate(await newCode(edge.id))
    expect(activated.ativado.sequencias).toEqual({ [camera.id]: 41 })
    // The disconnection is checked before the new edge connects, because that would also disconnect the old one.
    await waitFor('the old edge to be cut off', () => isCut)
    expect(await revokedSerials()).toContain(serialOf(old.tls.cert))
    await waitFor('the old edge to be refused', () => old.end.refusals() > 1)
    expect(old.end.link.connected).toBe(false)

    const replacement = await start(activated)
    // The state that the broker retains for the old edge can arrive first.
    const after = await waitFor('the configuration', () =>
      replacement.end.desired.find(({ versao }) => versao > before.versao),
    )
    expect(after).toMatchObject({
      limite_reenvio_kbps: 256,
      cameras: [{ id: camera.id, ultimo_seq: 41, nome: 'Portão' }],
    })
    expect(after.cameras[0]?.analises).toEqual(before.cameras[0]?.analises)
    expect(await unseal(replacement.privateJwk, after.cameras[0]?.fontes ?? '')).toMatchObject({ rtsp_url: URL })
    await waitFor('the edge to be online', async () => (await edgeNow(edge.id)).status === 'online')
    expect(await edgeNow(edge.id)).toMatchObject({ cameras: 1, status_detalhe: null, limite_reenvio_kbps: 256 })
    expect(replacement.end.refusals()).toBe(0)
  })

  it('is disconnected and revoked when its edge is deleted', async () => {
    const edge = await newEdge()
    const active = await activateEdge(edge)
    await admin.expect(204, 'DELETE', `/api/v1/edges/${edge.id}`)
    await waitFor('the edge to be refused', () => active.end.refusals() > 0)
    expect(await revokedSerials()).toContain(serialOf(active.tls.cert))
    expect((await certificates(edge.id)).every(({ revogado_em }) => revogado_em !== null)).toBe(true)
  })
})

describe('the revocation list', () => {
  it.runIf(hasOpenssl)('is valid for 30 days, and refuses listed certificates (needs openssl)', async () => {
    const edge = await newEdge()
    const first = await activateEdge(edge)
    const second = await activateEdge(await newCode(edge.id))
    const ca = join(app.dataDir, 'pki/ca.pem')
    await expect(run('openssl', ['crl', '-in', crlPath(), '-noout', '-verify', '-CAfile', ca])).resolves.toMatchObject({
      stderr: expect.stringContaining('verify OK'),
    })
    const dates = await openssl('crl', '-in', crlPath(), '-noout', '-nextupdate')
    const days = (Date.parse(dates.replace('nextUpdate=', '')) - app.clock.now()) / 86_400_000
    expect(Math.round(days)).toBe(30)

    const verify = async (name: string, pem: string) => {
      const file = join(app.dataDir, `${name}.pem`)
      await writeFile(file, pem)
      return openssl('verify', '-CAfile', ca, '-CRLfile', crlPath(), '-crl_check', '-purpose', 'sslclient', file)
    }
    expect(await verify('second', second.tls.cert)).toContain('OK')
    await expect(verify('first', first.tls.cert)).rejects.toMatchObject({
      stderr: expect.stringContaining('certificate revoked'),
    })
  })
})

describe('renewing a certificate', () => {
  const ask = async (active: ActiveEdge, id: string = randomUUID()) => {
    const { csrPem, privateKeyPem } = await createCsr()
    await active.end.link.publishRenewal({ v: 1, id, csr: csrPem })
    return { id, csrPem, privateKeyPem }
  }
  const answer = (active: ActiveEdge, id: string) =>
    waitFor('the renewed certificate', () => active.end.renewed.find((renewed) => renewed.id === id))
  const logged = (text: string) => app.logText().split(text).length - 1

  it('keeps the old certificate in force until the new one is in use', async () => {
    const active = await activateEdge(await newEdge())
    const asked = await ask(active)
    const { certificado, ca } = await answer(active, asked.id)
    expect(new X509Certificate(certificado).subject).toBe(`CN=edge-${active.id}`)
    expect((await certificates(active.id)).map(({ revogado_em }) => revogado_em)).toEqual([null, null])

    // Reports with unknown or old fingerprints change nothing, whichever edge sends them.
    for (const sha256 of ['ab'.repeat(32), certificateSha256(active.tls.cert)])
      await active.end.link.publishReport(
        report(active.end, active.tls, { fila: 7, certificado: { sha256, vence_em: 1 } }),
      )
    await waitFor('the reports', async () => (await edgeNow(active.id)).fila === 7)
    await active.end.link.publishReport(report(active.end, active.tls, { fila: 8 }))
    await waitFor('the next report', async () => (await edgeNow(active.id)).fila === 8)
    expect((await certificates(active.id)).map(({ revogado_em }) => revogado_em)).toEqual([null, null])
    expect(active.end.refusals()).toBe(0)

    await active.end.link.stop()
    const renewed = connect(active.id, active.ativado.mqtt.url, { ca, cert: certificado, key: asked.privateKeyPem })
    await waitFor('the old one to be revoked', async () => (await certificates(active.id))[0]?.revogado_em)
    await waitFor('the list', async () => (await revokedSerials()).includes(serialOf(active.tls.cert)))
    expect(await revokedSerials()).not.toContain(serialOf(certificado))
    expect(renewed.link.connected).toBe(true)
    const again = connect(active.id, active.ativado.mqtt.url, active.tls)
    await waitFor('the old one to be refused', () => again.refusals() > 0)
    await again.link.stop()
    expect(renewed.refusals()).toBe(0)
  })

  it('limits the rate of answers and answers the same request with the same certificate', async () => {
    const active = await activateEdge(await newEdge())
    const first = await ask(active)
    const { certificado } = await answer(active, first.id)
    const ignored = logged('renewal request ignored')
    await active.end.link.publishRenewal({ v: 1, id: first.id, csr: first.csrPem })
    // The cloud handles the newest of several that wait.
    await waitFor('one to be passed over', () => logged('renewal request ignored') === ignored + 1)
    await ask(active)
    await waitFor('both to be passed over', () => logged('renewal request ignored') === ignored + 2)
    expect(await certificates(active.id)).toHaveLength(2)

    app.clock.advance(4 * MINUTE)
    await active.end.link.publishRenewal({ v: 1, id: first.id, csr: first.csrPem })
    await waitFor('the same answer', () => active.end.renewed.length === 2)
    expect(active.end.renewed[1]?.certificado).toBe(certificado)
    expect(await certificates(active.id)).toHaveLength(2)
  })

  it('revokes a certificate that never arrived and keeps the one in use', async () => {
    const active = await activateEdge(await newEdge())
    await answer(active, (await ask(active)).id)
    app.clock.advance(4 * MINUTE)
    await answer(active, (await ask(active)).id)
    const rows = await certificates(active.id)
    expect(rows.map(({ revogado_em }) => revogado_em !== null)).toEqual([false, true, false])
    expect(active.end.refusals()).toBe(0)
    expect(active.end.link.connected).toBe(true)
  })

  it('ignores an invalid request', async () => {
    const active = await activateEdge(await newEdge())
    const before = logged('renewal refused: invalid request')
    await active.end.link.publishRenewal({ v: 1, id: randomUUID(), csr: 'lixo' })
    await waitFor('the refusal', () => logged('renewal refused: invalid request') === before + 1)
    expect(await certificates(active.id)).toHaveLength(1)
  })
})

describe('two programs with one identity', () => {
  it('are detected, shown and separated by a new code', async () => {
    const edge = await newEdge()
    const active = await activateEdge(edge)
    const copy = connect(edge.id, active.ativado.mqtt.url, active.tls)
    const said = await waitFor('the sentence', async () => {
      const { status_detalhe } = await edgeNow(edge.id)
      return status_detalhe?.includes('Duas caixas usam a identidade') && status_detalhe
    })
    expect(said).toContain('código novo')
    for (const end of [active.end, copy])
      await waitFor('each to be told', () => end.desired.some(({ identidade_duplicada }) => identidade_duplicada))
    expect(app.logText()).toContain('two programs alternate on one identity')

    const anew = await activateEdge(await newCode(edge.id))
    await waitFor('it to be settled', () => newest(anew.end)?.identidade_duplicada === false)
    for (const end of [active.end, copy]) await waitFor('the others to be refused', () => end.refusals() > 0)
    await waitFor('the edge to be online', async () => (await edgeNow(edge.id)).status === 'online')
    expect((await edgeNow(edge.id)).status_detalhe).toBeNull()
  })

  it('differ from a restart', async () => {
    const active = await activateEdge(await newEdge())
    let end = active.end
    const duplicado = async () => {
      const row = await backstage.db
        .selectFrom('edges')
        .selectAll()
        .where('id', '=', active.id)
        .executeTakeFirstOrThrow()
      return { now: row.instancia, duplicado_em: row.duplicado_em }
    }
    for (let restart = 0; restart < 3; restart += 1) {
      await end.link.stop()
      end = connect(active.id, active.ativado.mqtt.url, active.tls)
      const { instancia } = end
      await waitFor('its report', async () => (await duplicado()).now === instancia)
    }
    expect((await duplicado()).duplicado_em).toBeNull()
  })

  it('are dropped one hour after their last alternation', async () => {
    const active = await activateEdge(await newEdge())
    const long = app.clock.now() - 61 * MINUTE
    await backstage.db.updateTable('edges').set({ duplicado_em: long }).where('id', '=', active.id).execute()
    const before = newest(active.end)?.versao ?? 0
    await active.end.link.publishReport(report(active.end, active.tls))
    await waitFor('a newer configuration', () => {
      const state = newest(active.end)
      return state && state.versao > before && !state.identidade_duplicada
    })
  })
})

it('shows the report of an edge', async () => {
  const active = await activateEdge(await newEdge())
  await waitFor('the configuration', () => newest(active.end))
  const memoria = { total: 8, livre: 2 }
  const relogio = { desvio_ms: 61_000, sincronizado: true }
  const change = { memoria, relogio, fila: 3, fila_memoria: 2 }
  await active.end.link.publishReport(report(active.end, active.tls, change))
  const shown = await waitFor('the report', async () => {
    const edge = await edgeNow(active.id)
    return edge.fila_memoria === 2 && edge
  })
  expect(shown).toMatchObject({
    ...change,
    status: 'online',
    config_aplicada: true,
    certificado_vence_em: new X509Certificate(active.tls.cert).validToDate.toISOString(),
  })
  expect(shown.status_detalhe).toMatch(/2 eventos esperam na memória.*1 minuto adiantado/)
  await active.end.link.publishReport(report(active.end, active.tls, { config_versao: 0, fila: 4 }))
  await waitFor('the next report', async () => (await edgeNow(active.id)).config_aplicada === false)
})

it('writes no private key to a log or to the database', async () => {
  expect(app.logText()).not.toContain('PRIVATE KEY')
  expect(await storedText(app.dataDir)).not.toContain('PRIVATE KEY')
})
