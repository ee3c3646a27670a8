import { randomUUID } from 'node:crypto'
import { type CloudLink, createCloudLink } from '@vigia/link/cloud-link'
import { createEdgeLink, type EdgeLink, type EdgeLinkOptions } from '@vigia/link/edge-link'
import { certificateSha256 } from '@vigia/link/pki/fingerprint'
import type { TlsIdentity } from '@vigia/link/session'
import { createMemoryLog, until } from '@vigia/link/testing/installation'
import { freshFixture } from '@vigia/testing/fixture'
import { afterEach, describe, expect, it } from 'vitest'
import { startEmbeddedBroker } from './testing/embedded-broker.ts'

/** The certificate of an edge on the embedded broker: renewed, unusable, and used by two machines at once. */
const backoff = { minMs: 20, maxMs: 100 }

const site = freshFixture(startEmbeddedBroker)
const links: (CloudLink | EdgeLink)[] = []

afterEach(() => Promise.all(links.splice(0).map((link) => link.stop())))

function edgeLink(tls: () => TlsIdentity, options: Partial<EdgeLinkOptions> = {}): EdgeLink {
  const link = createEdgeLink({ url: site.url, edgeId: 7, tls, log: site.log, backoff, ...options })
  links.push(link)
  return link
}
async function connected<Link extends CloudLink | EdgeLink>(link: Link): Promise<Link> {
  links.push(link)
  link.start()
  await until('the link', () => link.connected)
  return link
}
const cloudLink = () =>
  connected(createCloudLink({ url: site.url, tls: site.installation.cloud, log: site.log, backoff }))

describe('a certificate', () => {
  it('is requested and issued over the link, and used from the next session on', async () => {
    const cloud = await cloudLink()
    const presence: boolean[] = []
    cloud.onPresence((_, online) => void presence.push(online))
    const old = await site.installation.edge(7)
    const renewed = await site.installation.replace(7)
    const both = { 'edge-7': [old, renewed].map(({ cert }) => certificateSha256(cert)) }
    let current = old
    // This back-off exceeds the time limit of the test, so the test passes only if a renewal does not wait.
    const edge = edgeLink(() => current, { backoff: { minMs: 60_000, maxMs: 60_000 } })
    cloud.onRenewal(async (edgeId, { id, csr }) => {
      expect([edgeId, csr]).toEqual([7, 'CSR'])
      await cloud.publishAllowed({ v: 2, certificados: both })
      await cloud.publishRenewed(edgeId, { v: 1, id, certificado: renewed.cert, ca: renewed.ca })
    })
    const id = randomUUID()
    edge.onRenewed((renovado) => {
      expect(renovado).toEqual({ v: 1, id, certificado: renewed.cert, ca: renewed.ca })
      current = renewed
      edge.reconnect()
    })
    await connected(edge)
    await edge.publishRenewal({ v: 1, id, csr: 'CSR' })
    await until('the second session', () => edge.status.connections === 2)
    // Only the new certificate is in force: a session with the old one would be disconnected.
    await cloud.publishAllowed({ v: 2, certificados: { 'edge-7': [certificateSha256(renewed.cert)] } })
    await edge.publishBatch(Buffer.from('x'))
    expect(edge.status).toEqual({ connected: true, connections: 2, lastLoss: null })
    // The session ended with DISCONNECT: no last will was published.
    await until('the new session to be told', () => presence.length > 1)
    expect(presence).toEqual([true, true])
    expect(site.log.lines.filter((line) => /link lost|listener failed/.test(line))).toEqual([])
  })

  it('that is unusable is retried like a network failure, and a new one at once', async () => {
    const good = await site.installation.edge(7)
    let current: TlsIdentity = { ...good, key: 'rubbish' }
    const edge = edgeLink(() => current)
    edge.start()
    const attempts = () => site.log.lines.filter((line) => line.includes('link not connected')).length
    await until('several attempts', () => attempts() >= 3)
    current = good
    edge.reconnect()
    await until('the link', () => edge.connected)
    expect(site.log.lines.join()).not.toContain('rubbish')
  })

  it('does not delay the stop of an edge during reconnection', async () => {
    const tls = await site.installation.edge(7)
    const edge = await connected(edgeLink(() => tls))
    edge.reconnect()
    edge.reconnect()
    await edge.stop()
    edge.reconnect()
    expect(edge.connected).toBe(false)
    expect(site.log.lines.filter((line) => line.includes('client connected'))).toHaveLength(2)
  })
})

describe('a copied disk', () => {
  it('is reported once by both machines', async () => {
    const tls = await site.installation.edge(7)
    const lines: string[][] = []
    for (const box of [createMemoryLog(), createMemoryLog()]) {
      lines.push(box.lines)
      edgeLink(() => tls, { log: box }).start()
    }
    const suspicions = () =>
      lines.map((of) => of.filter((line) => line.startsWith('error Outra caixa parece usar')).length)
    await until('both', () => suspicions().every((count) => count > 0))
    await until('more losses', () => lines.flat().filter((line) => line.includes('link lost')).length > 20)
    expect(suspicions()).toEqual([1, 1])
  })

  it('is not reported when the broker restarts', async () => {
    const tls = await site.installation.edge(7)
    const edge = await connected(edgeLink(() => tls))
    for (let round = 2; round < 8; round += 1) {
      await site.stopBroker()
      await until('the loss', () => !edge.connected)
      await until('an attempt', () => site.log.lines.at(-1)?.includes('link not connected') === true)
      await site.startBroker()
      await until('the return', () => edge.status.connections === round)
      expect(edge.status.lastLoss).toBe('o broker fechou a conexão')
    }
    expect(site.log.lines.filter((line) => line.includes('Outra caixa'))).toEqual([])
  })
})
