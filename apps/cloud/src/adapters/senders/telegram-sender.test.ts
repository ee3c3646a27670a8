import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOXED_PICTURE, ORIGIN, sampleAttachments } from '../../test/records/attachments.ts'
import { mensagem, mensagemQueda } from '../../test/records/sample-message.ts'
import { startHttpReceiver } from '../../test/stand-ins/http-receiver.ts'
import { startTelegramStandIn, TELEGRAM_TOKEN, type TelegramStandIn } from '../../test/stand-ins/telegram-stand-in.ts'
import { Secret } from '../secret.ts'
import type { Attachments } from './attachments.ts'
import type { Mensagem } from './interface.ts'
import { createTelegramSender } from './telegram-sender.ts'

let telegram: TelegramStandIn
beforeAll(async () => {
  telegram = await startTelegramStandIn()
})
afterAll(() => telegram.close())

interface Sent {
  chat?: string
  token?: string | null
  url?: string
  attachments?: Attachments
  mensagem?: Mensagem
  timeoutMs?: number
  signal?: AbortSignal
}
const send = (sent: Sent = {}) => {
  const { chat = '-1001234567890', token = TELEGRAM_TOKEN, url = telegram.url, timeoutMs } = sent
  const sender = createTelegramSender({
    settings: { telegram: async () => ({ token: token === null ? null : new Secret(token), url }) },
    attachments: sent.attachments ?? sampleAttachments(),
    ...(timeoutMs && { timeoutMs }),
  })
  const signal = sent.signal ?? new AbortController().signal
  return sender.send({ endereco: chat, segredo: null, redes: [] }, sent.mensagem ?? mensagem, signal)
}

it('sends picture, text and link as one message', async () => {
  expect(await send()).toEqual({ ok: true })
  const sent = telegram.messages.at(-1)
  expect(sent).toMatchObject({ method: 'sendPhoto', photo: BOXED_PICTURE, fields: { chat_id: '-1001234567890' } })
  expect(sent?.fields.caption).toMatch(/^Invasão: Portão <fundos> \(Padaria Pão & Cia\)\n/)
  expect(sent?.fields.caption?.endsWith(`\n\nAbrir no Vigia: ${ORIGIN}/incidentes/12`)).toBe(true)
  expect(Object.keys(sent?.fields ?? {})).not.toContain('parse_mode')
})

it('sends text alone about a queda', async () => {
  expect(await send({ mensagem: mensagemQueda })).toEqual({ ok: true })
  expect(telegram.messages.at(-1)).toMatchObject({
    method: 'sendMessage',
    photo: null,
    fields: { text: expect.stringMatching(/^Câmera de volta: Portão <fundos>/) },
  })
})

it('keeps the limit of a caption, and the whole link', async () => {
  const nome = '📷'.repeat(900)
  expect(await send({ mensagem: { ...mensagem, camera: { id: 9, nome } } })).toEqual({ ok: true })
  const caption = telegram.messages.at(-1)?.fields.caption ?? ''
  expect(caption.length).toBeLessThanOrEqual(1024)
  expect(caption.isWellFormed()).toBe(true)
  expect(caption.endsWith(`/incidentes/12`)).toBe(true)
})

it('counts a whole answer whose connection stays open', async () => {
  const open = await startHttpReceiver((response) => void response.writeHead(200).write('{"ok":true,"result":{}}'))
  expect(await send({ url: open.url, timeoutMs: 300 })).toEqual({ ok: true })
  await open.close()
})

describe('a failure returns a sentence without secrets', () => {
  const failure = async (sent: Sent) => {
    const entrega = await send(sent)
    expect(inspect(entrega, { depth: 9 })).not.toMatch(/token-do-telegram|Forbidden|Bad Request/)
    return entrega.ok ? null : entrega.erro
  }

  it.each([
    [403, 'Forbidden: bot was blocked by the user', {}, /não pode escrever nesta conversa/],
    [400, 'Bad Request: chat not found', {}, /não achou a conversa/],
    [400, 'Bad Request: not enough rights to send photos to the chat', {}, /não tem permissão/],
    [400, 'Bad Request: group chat was upgraded', { migrate_to_chat_id: -1009 }, /troque o destino por -1009/],
    [400, 'Bad Request: something new', {}, /recusou a mensagem \(400\)/],
    [500, 'Internal Server Error', {}, /recusou a mensagem \(500\)/],
  ])('%i %s', async (code, description, parameters, sentence) => {
    telegram.refuse('-42', code, description, parameters)
    expect(await failure({ chat: '-42' })).toMatch(sentence)
  })

  it.each([
    [403, 'mensagem'],
    [400, 'mensagem'],
    [413, 'mensagem'],
    [401, undefined],
    [404, undefined],
    [500, undefined],
  ])('%i is a failure of the message, or of the bot that all Empresas share', async (code, de) => {
    telegram.refuse('-44', code, 'something', {})
    const entrega = await send({ chat: '-44' })
    expect(entrega.ok ? null : entrega.de).toBe(de)
  })

  it('429, with the pause that the service asks for', async () => {
    telegram.refuse('-43', 429, 'Too Many Requests: retry after 37', { retry_after: 37 })
    expect(await send({ chat: '-43' })).toEqual({
      ok: false,
      erro: 'O Telegram pediu menos envios: espera de 37 s (429).',
      waitMs: 37_000,
    })
  })

  it('429 of a proxy, with the pause of its Retry-After', async () => {
    const body = JSON.stringify({ ok: false, description: 'Too Many Requests' })
    const proxy = await startHttpReceiver((response) => response.writeHead(429, { 'retry-after': '20' }).end(body))
    expect(await send({ url: proxy.url })).toMatchObject({ ok: false, waitMs: 20_000 })
    await proxy.close()
  })

  it('wrong token', async () => {
    expect(await failure({ token: `1:outro-${'token-do-telegram'}` })).toMatch(
      /não aceitou o token do bot \(401\): confira a página Remetentes/,
    )
  })

  it('a redirect, which is not followed', async () => {
    const other = await startHttpReceiver((response) => response.writeHead(307, { location: telegram.url }).end())
    const seen = telegram.messages.length
    expect(await failure({ url: other.url })).toMatch(/redirecionamento \(307\), que não é seguido/)
    expect(telegram.messages).toHaveLength(seen)
    await other.close()
  })

  it('no server, and an answer of another service', async () => {
    const other = await startHttpReceiver((response) => response.writeHead(502).end('<html>'))
    expect(await failure({ url: other.url })).toBe('O Telegram deu uma resposta ilegível (HTTP 502).')
    await other.close()
    expect(await failure({ url: other.url })).toMatch(/recusou a conexão \(ECONNREFUSED\)/)
  })

  it('an answer that never ends, or an aborted call', async () => {
    const mute = await startHttpReceiver((response) => void response.writeHead(200).write('{'))
    expect(await failure({ url: mute.url, timeoutMs: 200 })).toBe('O servidor não respondeu em 0.2 s.')
    expect(await failure({ url: mute.url, signal: AbortSignal.abort() })).toBe('O envio foi interrompido.')
    await mute.close()
  })

  it('not configured', async () => {
    expect(await failure({ token: null })).toMatch(/não está configurado neste servidor: falta VIGIA_TELEGRAM_TOKEN/)
  })
})
