import { createCloudLink } from '@vigia/link/cloud-link'
import { createEdgeLink } from '@vigia/link/edge-link'
import { loadAuthority } from '@vigia/link/pki/authority'
import { createCsr } from '@vigia/link/pki/csr'
import { issueEdgeCertificate } from '@vigia/link/pki/edge-certificate'
import type { TlsIdentity } from '@vigia/link/session'
import { createMemoryLog } from '@vigia/link/testing/installation'
import { freePort } from '@vigia/testing/free-port'
import { mosquittoProgram, startMosquitto } from '@vigia/testing/mosquitto'
import { type Program, startProgram } from '@vigia/testing/program'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readLinkTls } from '../../../adapters/link-tls.ts'
import { startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'
import { activateEdge } from '../../../test/stand-ins/activated-edge.ts'

/** Retained presences outlive their edge at a broker. */
describe.each([
  ['mosquitto', startMosquitto] as const,
  [
    'the embedded broker',
    ({ dataDir, port }: { dataDir: string; port: number }) =>
      startProgram({
        entry: 'apps/broker/src/main.ts',
        env: { VIGIA_DATA_DIR: dataDir, VIGIA_MQTT_PORT: String(port), VIGIA_LOG_LEVEL: 'warn' },
      }),
  ] as const,
])('the presence of a removed edge at %s', (name, startBroker) => {
  const isMissing = name === 'mosquitto' && mosquittoProgram === null
  let app: TestApp
  let broker: Program
  let internal = ''
  let url = ''
  beforeAll(async () => {
    if (isMissing) return
    const [port, internalPort] = [await freePort(), await freePort()]
    url = `mqtts://127.0.0.1:${port}`
    internal = name === 'mosquitto' ? `mqtts://127.0.0.1:${internalPort}` : url
    app = await startTestApp({ VIGIA_MQTT_URL: url, VIGIA_MQTT_URL_EDGES: url })
    broker = await startBroker({ dataDir: app.dataDir, port, internalPort })
  })
  afterAll(async () => {
    await app?.stop()
    await broker?.stop()
  })

  async function visit(edgeId: number, identity: TlsIdentity): Promise<void> {
    const edge = createEdgeLink({ url, edgeId, tls: () => identity, log: createMemoryLog() })
    edge.start()
    await waitFor('the edge', () => edge.connected, { timeoutMs: 20_000 })
    await edge.stop()
  }

  /** Edges whose presence the broker holds, in the order of a new reader. */
  async function present(): Promise<number[]> {
    const tls = readLinkTls(`${app.dataDir}/cloud`)
    const reader = createCloudLink({ url: internal, tls, log: createMemoryLog(), replica: 'leitora' })
    const found: number[] = []
    reader.onAnnounced((edgeId) => void found.push(edgeId))
    reader.start()
    await waitFor('the reader', () => reader.connected)
    await visit(kept.id, kept.identity)
    await waitFor('the last presence', () => found.includes(kept.id))
    await reader.stop()
    return [...new Set(found)].filter((edgeId) => edgeId !== kept.id)
  }
  let kept: Awaited<ReturnType<typeof activateEdge>>
  const goes = () => waitFor('no presence', async () => (await present()).length === 0, { timeoutMs: 20_000 })

  it.skipIf(isMissing)('ends with the edge (needs mosquitto)', async () => {
    const { admin } = await app.account('Loja')
    kept = await activateEdge(admin, app.url)
    const gone = await activateEdge(admin, app.url)
    await visit(gone.id, gone.identity)
    expect(await present()).toEqual([gone.id])
    await admin.expect(204, 'DELETE', `/api/v1/edges/${gone.id}`)
    await goes()
    expect(app.logText()).not.toContain('presence of a removed edge not cleared')
  })

  // The embedded broker admits no certificate that is not in force.
  if (name === 'mosquitto')
    it.skipIf(isMissing)('ends when the cloud finds it, also if the edge left later (needs mosquitto)', async () => {
      const ca = await loadAuthority(app.dataDir)
      const { csrPem, privateKeyPem } = await createCsr()
      const cert = await issueEdgeCertificate({ ca, edgeId: 4_711, csrPem })
      await visit(4_711, { ca: ca.certificatePem, cert, key: privateKeyPem })
      await goes()
    })
})
