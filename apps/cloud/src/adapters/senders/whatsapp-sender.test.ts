import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleAttachments } from '../../test/records/attachments.ts'
import { mensagem, mensagemQueda } from '../../test/records/sample-message.ts'
import { startHttpReceiver } from '../../test/stand-ins/http-receiver.ts'
import { startTwilioStandIn, TWILIO, type TwilioStandIn } from '../../test/stand-ins/twilio-stand-in.ts'
import { Secret } from '../secret.ts'
import type { Attachments } from './attachments.ts'
import type { Mensagem, MensagemEvento, MensagemQueda } from './interface.ts'
import type { TwilioSettings } from './settings.ts'
import { createWhatsappSender } from './whatsapp-sender.ts'

let twilio: TwilioStandIn
beforeAll(async () => {
  twilio = await startTwilioStandIn()
})
afterAll(() => twilio.close())

interface Sent extends Partial<TwilioSettings> {
  to?: string
  mensagem?: Partial<MensagemEvento> | MensagemQueda
  attachments?: Attachments
  timeoutMs?: number
  signal?: AbortSignal
}
const send = (sent: Sent = {}) => {
  const authToken = new Secret(TWILIO.authToken)
  const settings = { ...TWILIO, contentSidImagem: null, url: twilio.url, authToken, ...sent }
  const { attachments = sampleAttachments(), timeoutMs, to = '+5511987654321' } = sent
  const sender = createWhatsappSender({
    settings: { twilio: async () => settings },
    attachments,
    ...(timeoutMs && { timeoutMs }),
  })
  const whole: Mensagem = sent.mensagem && 'queda' in sent.mensagem ? sent.mensagem : { ...mensagem, ...sent.mensagem }
  return sender.send({ endereco: to, segredo: null, redes: [] }, whole, sent.signal ?? new AbortController().signal)
}
const variables = () => JSON.parse(twilio.messages.at(-1)?.ContentVariables ?? '{}')

it('sends only the approved template with its variables', async () => {
  expect(await send()).toEqual({ ok: true })
  expect(twilio.messages.at(-1)).toEqual({
    From: TWILIO.remetente,
    To: 'whatsapp:+5511987654321',
    ContentSid: TWILIO.contentSid,
    ContentVariables: expect.any(String),
  })
  expect(variables()).toEqual({
    1: 'Padaria Pão & Cia',
    2: 'Portão <fundos>',
    3: 'Invasão',
    4: '24/12/2026 00:00:00',
  })
})

it('marks a test', async () => {
  expect(await send({ mensagem: { tipo: 'teste' } })).toEqual({ ok: true })
  expect(variables()[3]).toMatch(/^Este é um teste: nenhum evento aconteceu/)
})

it('sends a queda with the same template', async () => {
  expect(await send({ mensagem: mensagemQueda })).toEqual({ ok: true })
  expect(variables()).toEqual({
    1: 'Padaria Pão & Cia',
    2: 'Portão <fundos>',
    3: 'Câmera de volta, depois de 2 h 5 min',
    4: '24/12/2026 02:05:10',
  })
})

it('sends only variables that WhatsApp accepts', async () => {
  const empresa = { ...mensagem.empresa, nome: 'Loja\r\n\tdo     Zé' }
  expect(await send({ mensagem: { empresa, camera: { id: 1, nome: ' ' } } })).toEqual({ ok: true })
  expect(variables()).toMatchObject({ 1: 'Loja do Zé', 2: '-' })
})

describe('the template with a picture', () => {
  const contentSidImagem = `HX${'fedcba9876543210'.repeat(2)}`

  it('has the paths of picture and link behind the host', async () => {
    expect(await send({ contentSidImagem })).toEqual({ ok: true })
    expect(twilio.messages.at(-1)?.ContentSid).toBe(contentSidImagem)
    expect(variables()).toEqual({
      1: 'Padaria Pão & Cia',
      2: 'Portão <fundos>',
      3: 'Invasão',
      4: '24/12/2026 00:00:00',
      5: 'api/v1/imagens/assinatura-41.jpg',
      6: 'incidentes/12',
    })
  })

  it.each([
    ['without https', sampleAttachments('http://vigia.exemplo.com.br'), mensagem],
    ['without a public address', sampleAttachments(null), mensagem],
    ['without a picture', sampleAttachments(undefined, null), mensagem],
    ['of a queda', sampleAttachments(), mensagemQueda],
  ])('is replaced by the text template %s', async (_, attachments, about) => {
    expect(await send({ contentSidImagem, attachments, mensagem: about })).toEqual({ ok: true })
    expect(twilio.messages.at(-1)?.ContentSid).toBe(TWILIO.contentSid)
    expect(Object.keys(variables())).toEqual(['1', '2', '3', '4'])
  })
})

it('keeps the path of its base URL', async () => {
  const proxy = await startHttpReceiver((response) => response.writeHead(404).end())
  await send({ url: `${proxy.url}/saida/` })
  expect(proxy.received[0]?.path).toBe(`/saida/2010-04-01/Accounts/${TWILIO.accountSid}/Messages.json`)
  await proxy.close()
})

describe('a failure returns a sentence without secrets', () => {
  const failure = async (sent: Sent) => {
    const entrega = await send(sent)
    expect(inspect(entrega, { depth: 9 })).not.toMatch(/f00dbabe|outro-token|Refused/)
    return entrega.ok ? null : entrega.erro
  }

  it.each([
    [63016, /modelo aprovado.*63016/],
    [63007, /VIGIA_TWILIO_REMETENTE.*63007/],
    [21211, /número não é válido.*21211/],
    [21656, /variáveis do modelo.*21656/],
    [30034, /recusou a mensagem \(código 30034 da Twilio/],
  ])('error %i of Twilio', async (code, sentence) => {
    const to = `+55119${code}000`
    twilio.refuse(to, code)
    expect(await failure({ to })).toMatch(sentence)
  })

  it.each([
    [21211, 'mensagem'],
    [21656, 'mensagem'],
    [30034, 'mensagem'],
    [20429, undefined],
    [63007, undefined],
    [63018, undefined],
    [63038, undefined],
  ])('error %i is of the message, or of the account that all Empresas share', async (code, de) => {
    const to = `+55118${code}000`
    twilio.refuse(to, code)
    const entrega = await send({ to })
    expect(entrega.ok ? null : entrega.de).toBe(de)
  })

  it('wrong token', async () => {
    expect(await failure({ authToken: new Secret('outro-token') })).toMatch(/VIGIA_TWILIO_AUTH_TOKEN.*20003/)
  })

  it('no server at the address', async () => {
    const other = await startHttpReceiver((response) => response.writeHead(502).end('<html>'))
    expect(await failure({ url: other.url })).toBe('A Twilio respondeu com erro (HTTP 502).')
    await other.close()
    expect(await failure({ url: other.url })).toMatch(/recusou a conexão \(ECONNREFUSED\)/)
  })

  it('a 201 without JSON', async () => {
    const other = await startHttpReceiver((response) => response.writeHead(201).end('feito'))
    expect(await failure({ url: other.url })).toMatch(/resposta ilegível/)
    await other.close()
  })

  it('a redirect, which is not followed', async () => {
    const other = await startHttpReceiver((response) => response.writeHead(307, { location: twilio.url }).end())
    expect(await failure({ url: other.url })).toBe('A Twilio respondeu com erro (HTTP 307).')
    await other.close()
  })

  it('a timeout or an aborted call', async () => {
    const mute = await startHttpReceiver(() => {})
    expect(await failure({ url: mute.url, timeoutMs: 200 })).toBe('O servidor não respondeu em 0.2 s.')
    expect(await failure({ url: mute.url, signal: AbortSignal.abort() })).toBe('O envio foi interrompido.')
    await mute.close()
  })

  it('not configured', async () => {
    expect(await failure({ contentSid: null, authToken: null })).toBe(
      'O envio por WhatsApp não está configurado neste servidor: falta VIGIA_TWILIO_AUTH_TOKEN, ' +
        'VIGIA_TWILIO_CONTENT_SID.',
    )
  })
})
