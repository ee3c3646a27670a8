import { createServer, type Socket } from 'node:net'
import tls from 'node:tls'
import { corpoWebhookSchema } from '@vigia/contracts/notificacoes'
import { createTestInstallation, type TestInstallation } from '@vigia/link/testing/installation'
import { parseAllowedCidrs } from '@vigia/rtsp/address-policy'
import { type DnsServer, startDnsServer } from '@vigia/rtsp/testing/dns-server'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ORIGIN, sampleAttachments } from '../../test/records/attachments.ts'
import { mensagem, mensagemQueda } from '../../test/records/sample-message.ts'
import { type HttpReceiver, startHttpReceiver } from '../../test/stand-ins/http-receiver.ts'
import { systemClock } from '../clock.ts'
import { createWebhookSender } from './webhook-sender.ts'

const segredo = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const clock = systemClock
const attachments = sampleAttachments()
const loopback = parseAllowedCidrs('127.0.0.0/8')
const open = new Set<{ close(): unknown }>()
const keep = <T extends { close(): unknown }>(one: T): T => {
  open.add(one)
  return one
}
afterEach(async () => {
  for (const one of open) await one.close()
  open.clear()
})

const receiver = async (...args: Parameters<typeof startHttpReceiver>): Promise<HttpReceiver> =>
  keep(await startHttpReceiver(...args))
const nameServer = async (answer: (name: string) => readonly string[] | null): Promise<DnsServer> =>
  keep(await startDnsServer(answer))
type Options = Partial<Parameters<typeof createWebhookSender>[0]>
const send = (
  url: string,
  { signal = new AbortController().signal, ...options }: Options & { signal?: AbortSignal } = {},
) =>
  createWebhookSender({ clock, allowed: loopback, attachments, ...options }).send(
    { endereco: url, segredo, redes: [] },
    mensagem,
    signal,
  )

it('posts the specified body with a valid signature', async () => {
  const { url, received } = await receiver()
  expect(await send(`${url}/vigia?token=a%20b`)).toEqual({ ok: true })
  expect(received).toHaveLength(1)
  const [request] = received
  expect(request).toMatchObject({ method: 'POST', path: '/vigia?token=a%20b' })
  expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': mensagem.id })
  const body = new Webhook(segredo).verify(request?.body ?? '', request?.headers ?? {})
  expect(body).toEqual({
    tipo: 'evento.confirmado',
    id: mensagem.id,
    enviado_em: '2026-12-24T03:00:05.000Z',
    empresa: { id: 7, nome: 'Padaria Pão & Cia' },
    camera: { id: 9, nome: 'Portão <fundos>' },
    evento: mensagem.evento,
    link: `${ORIGIN}/incidentes/12`,
    imagem_url: `${ORIGIN}/api/v1/imagens/assinatura-41.jpg`,
  })
  expect(corpoWebhookSchema.parse(body)).toEqual(body)
  expect(() => new Webhook(`whsec_${'A'.repeat(43)}=`).verify(request?.body ?? '', request?.headers ?? {})).toThrow()
  expect(() => new Webhook(segredo).verify(`${request?.body} `, request?.headers ?? {})).toThrow()
})

it('posts a queda in its own body format', async () => {
  const { url, received } = await receiver()
  const sender = createWebhookSender({ clock, allowed: loopback, attachments })
  expect(await sender.send({ endereco: url, segredo, redes: [] }, mensagemQueda, new AbortController().signal)).toEqual(
    {
      ok: true,
    },
  )
  const body = new Webhook(segredo).verify(received[0]?.body ?? '', received[0]?.headers ?? {})
  expect(corpoWebhookSchema.parse(body)).toEqual(body)
  const { enviadoEm, empresa, ...rest } = mensagemQueda
  expect(body).toEqual({
    ...rest,
    enviado_em: '2026-12-24T05:05:25.000Z',
    empresa: { id: 7, nome: 'Padaria Pão & Cia' },
    link: `${ORIGIN}/quedas`,
    imagem_url: null,
  })
})

it('has neither link nor picture without a public address', async () => {
  const { url, received } = await receiver()
  expect(await send(url, { attachments: sampleAttachments(null) })).toEqual({ ok: true })
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({ link: null, imagem_url: null })
})

describe('the address', () => {
  it('of this machine is refused without a connection', async () => {
    const { port, connections } = await receiver()
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', 'localhost', '[::ffff:127.0.0.1]']) {
      const entrega = await send(`http://${host}:${port}/`, { allowed: parseAllowedCidrs('') })
      expect(entrega).toMatchObject({ ok: false, erro: expect.stringContaining('rede interna') })
    }
    expect(connections()).toBe(0)
  })

  it('is the checked one even if the name resolves to another afterwards', async () => {
    const checked = await receiver(undefined, { host: '127.0.0.2' })
    const trap = await receiver(undefined, { host: '127.0.0.1', port: checked.port })
    let asked = 0
    const { lookup } = await nameServer(() => {
      asked += 1
      return asked === 1 ? ['127.0.0.2'] : ['127.0.0.1']
    })
    const url = `http://gancho.example:${checked.port}/`
    const allowed = parseAllowedCidrs('127.0.0.2')
    expect(await send(url, { allowed, lookup })).toEqual({ ok: true })
    expect(asked).toBe(1)
    expect(checked.received[0]?.headers.host).toBe(`gancho.example:${checked.port}`)
    // The next delivery resolves again, and refuses the new address.
    expect(await send(url, { allowed, lookup })).toMatchObject({
      ok: false,
      erro: expect.stringContaining('rede interna'),
    })
    expect(asked).toBe(2)
    expect(checked.received).toHaveLength(1)
    expect(trap.connections()).toBe(0)
  })

  it('is refused when one of several addresses is not public', async () => {
    const { port, connections } = await receiver(undefined, { host: '127.0.0.2' })
    const { lookup } = await nameServer(() => ['127.0.0.2', '127.0.0.1'])
    const allowed = parseAllowedCidrs('127.0.0.2')
    expect(await send(`http://gancho.example:${port}/`, { allowed, lookup })).toMatchObject({ ok: false })
    expect(connections()).toBe(0)
  })

  it('may be any reachable address of the name', async () => {
    const { port } = await receiver(undefined, { host: '127.0.0.3' })
    const { lookup } = await nameServer(() => ['127.0.0.2', '127.0.0.3'])
    expect(await send(`http://gancho.example:${port}/`, { lookup })).toEqual({ ok: true })
  })

  it('may be an IPv6 address', async () => {
    const { port, received } = await receiver(undefined, { host: '::1' })
    const allowed = parseAllowedCidrs('::1')
    expect(await send(`http://[::1]:${port}/`, { allowed })).toEqual({ ok: true })
    expect(received).toHaveLength(1)
    expect(await send(`http://[::1]:${port}/`)).toMatchObject({ ok: false })
    expect(received).toHaveLength(1)
  })

  it('of an unknown name is reported', async () => {
    const { lookup } = await nameServer(() => null)
    const entrega = await send('http://gancho.example/', { lookup })
    expect(entrega).toMatchObject({ ok: false, erro: expect.stringContaining('nome do servidor não existe') })
  })
})

describe('the answer', () => {
  it.each([200, 201, 202, 204])('%i is a success', async (status) => {
    const { url } = await receiver((response) => response.writeHead(status).end())
    expect(await send(url)).toEqual({ ok: true })
  })

  it.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    const target = await receiver()
    const { url } = await receiver((response) => response.writeHead(status, { location: target.url }).end())
    const entrega = await send(url)
    expect(entrega).toMatchObject({
      ok: false,
      erro: expect.stringMatching(new RegExp(`redirecionamento \\(${status}\\)`)),
    })
    expect(target.connections()).toBe(0)
  })

  it.each([
    [400, 'erro', { de: 'mensagem' }],
    [401, 'negou o acesso', { de: 'mensagem' }],
    [404, 'não existe', {}],
    [410, 'não existe', {}],
    [429, 'menos envios', {}],
    [500, 'erro', {}],
  ])('%i is reported, as of the message or of the service', async (status, words, of) => {
    const { url } = await receiver((response) => response.writeHead(status).end('segredo do servidor'))
    expect(await send(url)).toEqual({ ok: false, erro: expect.stringMatching(`${words}.*\\(${status}\\)`), ...of })
  })

  it.each([429, 503])('%i defers by its Retry-After', async (status) => {
    const { url } = await receiver((response) => response.writeHead(status, { 'retry-after': '90' }).end())
    expect(await send(url)).toMatchObject({ ok: false, waitMs: 90_000 })
  })

  it('101 counts as no answer', async () => {
    const { url } = await receiver((response) => {
      response.writeHead(101, { upgrade: 'x', connection: 'upgrade' }).end()
    })
    expect(await send(url)).toMatchObject({ ok: false })
  })

  it('is read only up to a limit', async () => {
    let sent = 0
    const { url } = await receiver((response) => {
      response.writeHead(200)
      const chunk = Buffer.alloc(64 * 1024)
      const more = () => {
        do sent += chunk.length
        while (!response.destroyed && response.write(chunk))
      }
      response.on('drain', more)
      more()
    })
    expect(await send(url)).toEqual({ ok: true })
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  it('has a time limit', async () => {
    const { url } = await receiver(() => {})
    expect(await send(url, { timeoutMs: 200 })).toEqual({ ok: false, erro: 'O servidor não respondeu em 0.2 s.' })
  })

  it('2xx is a success even if its body never ends', async () => {
    const { url } = await receiver((response) => response.writeHead(200).write('a'))
    expect(await send(url, { timeoutMs: 200 })).toEqual({ ok: true })
  })

  it('of a name server has the same time limit', async () => {
    const lookup = () => new Promise<readonly string[]>(() => {})
    expect(await send('http://gancho.example/', { lookup, timeoutMs: 100 })).toMatchObject({ ok: false })
  })

  it('is abandoned when the caller aborts', async () => {
    const leaving = new AbortController()
    const { url } = await receiver(() => leaving.abort())
    expect(await send(url, { signal: leaving.signal })).toEqual({ ok: false, erro: 'O envio foi interrompido.' })
    expect(await send(url, { signal: leaving.signal })).toMatchObject({ ok: false })
  })

  it('is reported with the error code if it is missing or not HTTP', async () => {
    const rawServer = async (greet: (socket: Socket) => void): Promise<string> => {
      const server = createServer((socket) => greet(socket.resume()))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      keep({ close: () => new Promise((resolve) => server.close(resolve)) })
      const address = server.address()
      return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`
    }
    const chatty = await rawServer((socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
    const mute = await rawServer((socket) => socket.destroy())
    expect(await send(chatty)).toMatchObject({ ok: false, erro: expect.stringContaining('(HPE_') })
    expect(await send(mute)).toMatchObject({
      ok: false,
      erro: expect.stringContaining('cortou a conexão (ECONNRESET)'),
    })
    const gone = await startHttpReceiver()
    await gone.close()
    expect(await send(gone.url)).toMatchObject({ ok: false, erro: expect.stringContaining('recusou a conexão') })
  })
})

describe('over HTTPS', () => {
  let installation: TestInstallation
  const before = tls.getCACertificates('default')
  beforeAll(async () => {
    installation = await createTestInstallation()
  })
  afterAll(async () => {
    tls.setDefaultCACertificates(before)
    await installation.remove()
  })

  it('requires a trusted certificate for the name', async () => {
    const { url, port, received } = await receiver(undefined, { tls: installation.broker })
    const refused = (words: string) => ({ ok: false, erro: expect.stringContaining(`certificado TLS ${words}`) })
    expect(await send(url)).toEqual(refused('do servidor vem de uma autoridade que o Vigia não conhece'))
    tls.setDefaultCACertificates([...before, installation.broker.ca])
    expect(await send(url)).toEqual({ ok: true })
    const { lookup } = await nameServer(() => ['127.0.0.1'])
    expect(await send(`https://gancho.example:${port}/`, { lookup })).toEqual(refused('do servidor não é deste nome'))
    expect(received).toHaveLength(1)
  })
})
