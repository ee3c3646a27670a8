import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { fixture } from '@vigia/testing/fixture'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { waitFor } from '@vigia/testing/wait'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { askToken, codeFields, isTaken, newCode, newPkce, REDIRECT } from '../../../test/clients/oauth-flow.ts'
import { startTestApp, type TestApp } from '../../../test/clouds/test-app.ts'
import { type HttpReceiver, startHttpReceiver } from '../../../test/stand-ins/http-receiver.ts'
import { isDocumentId } from './client-documents.ts'

const HOUR = 3_600_000
const trusted = getCACertificates()
const dir = temporaryFolder('vigia-document-')
let site: HttpReceiver
/** Status and text of the site's answer. */
let served: readonly [number, string]
let clientId: string
/** The site answers after it; null: at once. */
let hold: Promise<void> | null = null
beforeAll(async () => {
  await ensureInstallationPki({ dir, brokerHosts: [] })
  const file = (name: string) => readFile(join(dir, 'broker/tls', name), 'utf8')
  setDefaultCACertificates([...trusted, await file('ca.pem')])
  const answer: Parameters<typeof startHttpReceiver>[0] = async (response) => {
    await hold
    response.writeHead(served[0]).end(served[1])
  }
  site = await startHttpReceiver(answer, { tls: { key: await file('key.pem'), cert: await file('cert.pem') } })
})

const app = fixture(() => startTestApp({ VIGIA_WEBHOOK_PERMITIR: '127.0.0.1/32' }))
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await site.close()
  await rm(dir, { recursive: true, force: true })
})
let count = 0
beforeEach(() => {
  clientId = `${site.url}/agente/${++count}.json`
  serve({})
})

const serve = (change: object) => {
  const document = { client_id: clientId, client_name: 'Agente da Web', redirect_uris: [REDIRECT], ...change }
  served = [200, JSON.stringify(document)]
}
const asks = () => site.received.filter(({ path }) => clientId.endsWith(path)).length
async function page(to: Pick<TestApp, 'url'> = app, id = clientId) {
  const asked = { client_id: id, redirect_uri: REDIRECT, code_challenge: newPkce().challenge }
  const response = await fetch(`${to.url}/oauth/authorize?${new URLSearchParams(asked)}`, { redirect: 'manual' })
  return { status: response.status, text: await response.text() }
}

describe('a program whose id is the address of its document', () => {
  it('gets tokens without a registration, and is shown with the host of the document', async () => {
    const metadata = await (await fetch(`${app.url}/.well-known/oauth-authorization-server`)).json()
    expect(metadata).toMatchObject({ client_id_metadata_document_supported: true })
    const pkce = newPkce()
    const code = await newCode(app, clientId, pkce)
    const { status, body } = await askToken(app, codeFields(clientId, code, pkce))
    expect(status).toBe(200)
    expect(await isTaken(app, body.access_token)).toBe(true)
    const [shown] = (await app.operator.expect<{ client_id: string }[]>(200, 'GET', '/api/v1/autorizacoes')).slice(0, 1)
    expect(shown?.client_id).toBe(clientId)
    expect(asks()).toBe(1)
  })

  it('names the host on the consent page', async () => {
    const asked = { client_id: clientId, redirect_uri: REDIRECT, code_challenge: newPkce().challenge }
    const response = await fetch(`${app.url}/oauth/authorize?${new URLSearchParams(asked)}`, {
      headers: { cookie: `session=${app.operator.token}` },
    })
    expect(await response.text()).toContain(`<dt>Apresentado por</dt><dd>${new URL(clientId).host}</dd>`)
  })

  it('is read again after an hour, and its withdrawn redirect URI ends', async () => {
    expect((await page()).status).toBe(200)
    expect((await page()).status).toBe(200)
    expect(asks()).toBe(1)
    serve({ redirect_uris: ['https://exemplo.br/volta'] })
    app.clock.advance(HOUR)
    expect((await page()).status).toBe(400)
    expect(asks()).toBe(2)
  })
})

describe('a document is refused', () => {
  it.each([
    ['of another program', () => serve({ client_id: 'https://exemplo.br/outro' }), 'ele descreve outro programa'],
    ['with a secret', () => serve({ client_secret: 'x' }), 'não descreve um programa público'],
    ['of a confidential client', () => serve({ token_endpoint_auth_method: 'private_key_jwt' }), 'programa público'],
    ['without redirect URIs', () => serve({ redirect_uris: [] }), 'programa público'],
    ['with a dangerous one', () => serve({ redirect_uris: ['javascript:alert(1)'] }), 'não é aceito'],
    ['that is no JSON', () => (served = [200, '<html>']), 'programa público'],
    ['that is too long', () => serve({ x: 'x'.repeat(10_000) }), 'passa de 10000 caracteres'],
    ['behind a status', () => (served = [404, '']), 'respondeu 404 em vez de 200'],
  ])('%s', async (_, change, sentence) => {
    change()
    const { status, text } = await page()
    expect([status, text]).toEqual([400, expect.stringContaining(sentence)])
    expect(text).toContain(new URL(clientId).host)
    serve({})
    expect((await page()).status).toBe(200)
  })

  it('on an address that is not public, before a connection, and without details', async () => {
    const strict = await startTestApp()
    try {
      const before = site.connections()
      const { status, text } = await page(strict)
      expect([status, text]).toEqual([400, expect.stringContaining('o endereço não é público')])
      expect(site.connections()).toBe(before)
    } finally {
      await strict.stop()
    }
  })

  it('on a server that does not answer', async () => {
    const { text } = await page(app, 'https://127.0.0.1:1/agente.json')
    expect(text).toContain('o endereço não respondeu')
  })

  it('while eight others are read', async () => {
    const held = Promise.withResolvers<void>()
    hold = held.promise
    const others = Array.from({ length: 8 }, (_, i) => page(app, `${clientId.replace('.json', '')}-${i}.json`))
    await waitFor(
      'eight reads',
      () => site.received.filter(({ path }) => clientId.endsWith(path.replace(/-\d/, ''))).length === 8,
    )
    const ninth = await page()
    hold = null
    held.resolve()
    await Promise.all(others)
    expect([ninth.status, ninth.text]).toEqual([429, expect.stringContaining('Tente de novo')])
    expect((await page()).status).toBe(200)
  })

  it('after too many of one network', async () => {
    const other = await startTestApp({ VIGIA_WEBHOOK_PERMITIR: '127.0.0.1/32' })
    try {
      served = [404, '']
      const statuses = new Set<number>()
      for (let i = 0; i < 101; i++) statuses.add((await page(other)).status)
      expect([...statuses]).toEqual([400, 429])
    } finally {
      await other.stop()
    }
  })
})

it.each([
  ['https://exemplo.br/agente.json', true],
  ['https://exemplo.br:8443/a/b', true],
  ['https://exemplo.br/', false],
  ['https://exemplo.br', false],
  ['http://exemplo.br/agente.json', false],
  ['HTTPS://exemplo.br/agente.json', false],
  ['https://exemplo.br/a/../agente.json', false],
  ['https://a:b@exemplo.br/agente.json', false],
  ['https://exemplo.br/agente.json?x=1', false],
  ['https://exemplo.br/agente.json#x', false],
  ['6d3f7f0e-3c55-4d0c-9a5e-0c3a1f1f8f11', false],
])('%s is the address of a document: %s', (id, expected) => {
  expect(isDocumentId(id)).toBe(expected)
})
