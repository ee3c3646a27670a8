import tls from 'node:tls'
import { inspect } from 'node:util'
import { ia, nomesIas } from '@vigia/contracts/ias'
import { createTestInstallation, type TestInstallation } from '@vigia/link/testing/installation'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { BOXED_PICTURE, ORIGIN, sampleAttachments } from '../../test/records/attachments.ts'
import { mensagem, mensagemQueda } from '../../test/records/sample-message.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../../test/stand-ins/smtp-receiver.ts'
import { Secret } from '../secret.ts'
import type { Attachments } from './attachments.ts'
import { createEmailSender } from './email-sender.ts'
import type { Mensagem, MensagemEvento, MensagemQueda } from './interface.ts'
import type { EmailSettings } from './settings.ts'

const login = { user: 'vigia@exemplo.com.br', pass: 's3nh@:do/SMTP?' } as const
const credentials = (pass: string = login.pass) => `${encodeURIComponent(login.user)}:${encodeURIComponent(pass)}`
const remetente = { nome: 'Vigia — Avisos', endereco: 'avisos@exemplo.com.br' } as const

let installation: TestInstallation
let server: SmtpReceiver
const before = tls.getCACertificates('default')
beforeAll(async () => {
  installation = await createTestInstallation()
  tls.setDefaultCACertificates([...before, installation.broker.ca])
})
afterEach(() => server.close())
afterAll(async () => {
  tls.setDefaultCACertificates(before)
  await installation.remove()
})

const listen = async (options: object = {}) => {
  const { key, cert } = installation.broker
  server = await startSmtpReceiver(login, { key, cert, ...options })
}
interface Sent extends Partial<EmailSettings> {
  to?: string
  url?: string
  mensagem?: Partial<MensagemEvento> | MensagemQueda
  attachments?: Attachments
  timeoutMs?: number
  signal?: AbortSignal
}
const send = (sent: Sent = {}) => {
  const { to = 'guarita@exemplo.com.br', url = `smtp://${credentials()}@127.0.0.1:${server.port}` } = sent
  const email = { smtpUrl: new Secret(url), semTls: false, remetente, ...sent }
  const { attachments = sampleAttachments(), timeoutMs } = sent
  const sender = createEmailSender({
    settings: { email: async () => email },
    attachments,
    ...(timeoutMs && { timeoutMs }),
  })
  const whole = 'queda' in (sent.mensagem ?? {}) ? mensagemQueda : { ...mensagem, ...sent.mensagem }
  return sender.send(
    { endereco: to, segredo: null, redes: [] },
    whole as Mensagem,
    sent.signal ?? new AbortController().signal,
  )
}
const header = (name: string) => server.mails[0]?.headers.filter(([key]) => key === name).map(([, value]) => value)

it('sends over STARTTLS with login, as text and HTML', async () => {
  await listen()
  expect(await send()).toEqual({ ok: true })
  expect(server.logins).toEqual([[login.user, login.pass, true]])
  expect(server.mails).toMatchObject([{ from: remetente.endereco, to: ['guarita@exemplo.com.br'], secure: true }])
  expect(header('from')).toEqual(['Vigia — Avisos <avisos@exemplo.com.br>'])
  expect(header('to')).toEqual(['guarita@exemplo.com.br'])
  expect(header('subject')).toEqual(['[Vigia] Invasão: Portão <fundos> (Padaria Pão & Cia)'])
  expect(header('message-id')).toEqual([`<${mensagem.id}@exemplo.com.br>`])
  expect(header('auto-submitted')).toEqual(['auto-generated'])
  expect(server.mails[0]?.text).toContain('Câmera: Portão <fundos>')
  expect(server.mails[0]?.text).toContain('Quando: 24/12/2026 00:00:00')
  expect(server.mails[0]?.html).toMatch(/<td[^>]*>Portão &lt;fundos&gt;<\/td>/)
  expect(server.mails[0]?.html).toContain('Padaria Pão &amp; Cia')
})

it('shows the picture in the text, and links to the incidente', async () => {
  await listen()
  expect(await send()).toEqual({ ok: true })
  const [mail] = server.mails
  const [picture] = mail?.pictures ?? []
  expect(picture).toEqual({ cid: expect.any(String), type: 'image/jpeg', content: BOXED_PICTURE })
  expect(mail?.html).toContain(`<img src="cid:${picture?.cid}"`)
  expect(mail?.html).toMatch(/<a href="[^"]+\/incidentes\/12" style="[^"]*background:[^"]+">Abrir no Vigia</)
  expect(mail?.text).toContain(`Abrir no Vigia: ${ORIGIN}/incidentes/12`)
})

it('sends text alone without a picture and a public address', async () => {
  await listen()
  expect(await send({ attachments: sampleAttachments(null, null) })).toEqual({ ok: true })
  expect(server.mails[0]).toMatchObject({ pictures: [], html: expect.not.stringMatching(/<img|<a /) })
})

it('sends a queda', async () => {
  await listen()
  expect(await send({ mensagem: mensagemQueda })).toEqual({ ok: true })
  expect(header('subject')).toEqual(['[Vigia] Câmera de volta: Portão <fundos> (Padaria Pão & Cia)'])
  expect(server.mails[0]?.text).toContain('Por quanto tempo: 2 h 5 min')
  expect(server.mails[0]?.html).toMatch(/<td[^>]*>Caixa da portaria<\/td>/)
})

it('fits a phone, loads nothing, and shows a plate as a plate', async () => {
  await listen()
  const detalhes = { placa: 'ABC1D23', lista: 'Bloqueados' }
  const tipo = nomesIas.find((nome) => ia(nome).modelo === 'placas') ?? 'invasao'
  expect(await send({ mensagem: { evento: { ...mensagem.evento, tipo, detalhes } } })).toEqual({ ok: true })
  const [mail] = server.mails
  expect(mail?.html).toContain('<meta name="viewport" content="width=device-width')
  expect(mail?.html).toMatch(/<img [^>]*style="[^"]*width:100%;max-width:600px/)
  expect(mail?.html).toMatch(/<span style="[^"]*monospace[^"]*">ABC1D23<\/span>/)
  expect(mail?.html).not.toMatch(/<(link|script|iframe)|src="http|url\(/)
  expect(mail?.text).toContain('Placa: ABC1D23')
})

it('sends over SMTPS', async () => {
  await listen({ secure: true })
  expect(await send({ url: `smtps://${credentials()}@127.0.0.1:${server.port}` })).toEqual({ ok: true })
  expect(server.mails).toMatchObject([{ secure: true }])
})

it('encodes any name as one header', async () => {
  await listen()
  const nome = 'Loja\r\nBcc: outro@exemplo.com.br\r\n\r\n<script>alert(1)</script>'
  const camera = { id: 9, nome: 'Portão\nX-Injetado: sim' }
  expect(await send({ mensagem: { empresa: { ...mensagem.empresa, nome }, camera } })).toEqual({ ok: true })
  const [mail] = server.mails
  expect(mail?.to).toEqual(['guarita@exemplo.com.br'])
  expect(mail?.headers.map(([name]) => name)).not.toContain('bcc')
  expect(mail?.headers.map(([name]) => name)).not.toContain('x-injetado')
  expect(header('subject')).toHaveLength(1)
  expect(mail?.html).not.toContain('<script>')
})

it.each([
  'a@exemplo.com.br, b@exemplo.com.br',
  'Nome <a@exemplo.com.br>',
  'a@exemplo.com.br\r\nRCPT TO:<b@exemplo.com.br>',
])('never splits one destination into two recipients: %j', async (to) => {
  await listen()
  await send({ to })
  expect(server.mails.flatMap((mail) => mail.to)).not.toContain('b@exemplo.com.br')
  expect(server.mails.flatMap((mail) => mail.to).length).toBeLessThanOrEqual(1)
})

describe('without TLS', () => {
  it('sends neither login nor message', async () => {
    await listen({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
    expect(await send()).toEqual({ ok: false, erro: expect.stringContaining('não oferece conexão cifrada') })
    expect([server.logins, server.mails]).toEqual([[], []])
  })

  it('sends with VIGIA_SMTP_SEM_TLS, without STARTTLS', async () => {
    await listen({ allowInsecureAuth: true })
    expect(await send({ semTls: true })).toEqual({ ok: true })
    expect(server.logins).toEqual([[login.user, login.pass, false]])
  })

  it('sends no login to a server with an untrusted certificate', async () => {
    await listen()
    tls.setDefaultCACertificates(before)
    try {
      expect(await send()).toEqual({ ok: false, erro: expect.stringContaining('certificado') })
      expect(server.logins).toEqual([])
    } finally {
      tls.setDefaultCACertificates([...before, installation.broker.ca])
    }
  })
})

describe('a failure returns a sentence without secrets', () => {
  const failure = async (sent: Sent) => {
    const entrega = await send(sent)
    expect(inspect(entrega)).not.toMatch(/s3nh@|outra-senha|ninguem@/)
    return entrega.ok ? null : entrega.erro
  }

  it('wrong password', async () => {
    await listen()
    const url = `smtp://${credentials('outra-senha')}@127.0.0.1:${server.port}`
    expect(await failure({ url })).toMatch(
      /não aceitou o usuário ou a senha \(535\): confira a página Remetentes ou VIGIA_SMTP_URL/,
    )
  })

  it('refused recipient', async () => {
    await listen()
    expect(await failure({ to: 'ninguem@exemplo.com.br' })).toMatch(/recusou este destinatário \(550\)/)
  })

  it('a refused recipient is of this message, a refused password of the account that all Empresas share', async () => {
    await listen()
    expect(await send({ to: 'ninguem@exemplo.com.br' })).toMatchObject({ ok: false, de: 'mensagem' })
    const url = `smtp://${credentials('outra-senha')}@127.0.0.1:${server.port}`
    expect(await send({ url })).not.toHaveProperty('de')
  })

  it('no server', async () => {
    await listen()
    await server.close()
    expect(await failure({})).toMatch(/recusou a conexão \(ECONNREFUSED\)/)
  })

  it('a silent server', async () => {
    await listen({ onConnect: () => {} })
    expect(await failure({ timeoutMs: 200 })).toBe('O servidor não respondeu em 0.2 s.')
  })

  it('an aborted call', async () => {
    await listen()
    expect(await failure({ signal: AbortSignal.abort() })).toBe('O envio foi interrompido.')
  })

  it.each([
    [{ smtpUrl: null }, 'VIGIA_SMTP_URL'],
    [{ remetente: null }, 'VIGIA_EMAIL_REMETENTE'],
    [{ smtpUrl: null, remetente: null }, 'VIGIA_SMTP_URL e VIGIA_EMAIL_REMETENTE'],
  ])('not configured: %j', async (settings, names) => {
    await listen()
    expect(await failure(settings)).toBe(`O envio de e-mail não está configurado neste servidor: falta ${names}.`)
  })
})
