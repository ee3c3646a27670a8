import type { Transporter } from 'nodemailer'
import type { Attachments } from './attachments.ts'
import { connectionFailure, errorCode, gaveUp } from './connection-failure.ts'
import { describeMessage } from './describe-message.ts'
import { emailHtml } from './email-html.ts'
import { plateOfMessage } from './hide-plates.ts'
import { DELIVERY_MS, type Entrega, failed, refused, type Sender, type Texto } from './interface.ts'
import type { SenderSettings } from './sender-settings.ts'

interface EmailSenderDeps {
  readonly settings: Pick<SenderSettings, 'email'>
  readonly attachments: Attachments
  readonly timeoutMs?: number
}

/**
 * Sends by SMTP. `smtp://` requires STARTTLS with a valid certificate. A server or attacker in between without TLS gets
 * neither password nor message. `semTls` disables TLS.
 */
export function createEmailSender({ settings, attachments, timeoutMs = DELIVERY_MS }: EmailSenderDeps): Sender {
  return {
    async send({ endereco }, mensagem, signal) {
      const { smtpUrl, remetente, semTls } = await settings.email()
      if (smtpUrl === null || remetente === null) {
        const missing = [smtpUrl ?? 'VIGIA_SMTP_URL', remetente ?? 'VIGIA_EMAIL_REMETENTE'].filter(
          (setting) => typeof setting === 'string',
        )
        return failed(`O envio de e-mail não está configurado neste servidor: falta ${missing.join(' e ')}.`)
      }
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const link = attachments.link(mensagem)
      const texto = describeMessage(mensagem, link)
      const picture = await attachments.boxedPicture(mensagem)
      try {
        const transport = await openTransport(smtpUrl.reveal(), semTls)
        await transport.sendMail({
          from: { name: remetente.nome, address: remetente.endereco },
          // The address is an object, because nodemailer parses a string as a list of addresses.
          to: { name: '', address: endereco },
          subject: `[Vigia] ${texto.titulo}`,
          text: plainText(texto, link),
          html: emailHtml({ texto, link, cid: picture && PICTURE_CID, placa: plateOfMessage(mensagem) }),
          ...(picture && {
            attachments: [{ filename: 'evento.jpg', content: picture, contentType: 'image/jpeg', cid: PICTURE_CID }],
          }),
          // A retry has the same id, so that mailboxes can detect duplicates.
          messageId: `<${mensagem.id}@${remetente.endereco.split('@').at(-1)}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal: deadline,
        })
        return { ok: true }
      } catch (error) {
        if (deadline.aborted) return failed(gaveUp(signal, timeoutMs))
        return smtpFailure(error)
      }
    },
  }
}

/** The module is loaded at its first use. This call opens no connection. */
async function openTransport(smtpUrl: string, semTls: boolean): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  return createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && !semTls,
    ignoreTLS: !secure && semTls,
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** RFC 2392: id of the inline picture within its message. */
const PICTURE_CID = 'imagem@vigia'

const plainText = ({ abertura, dados }: Texto, link: string | null): string =>
  [
    abertura,
    '',
    ...dados.map(([rotulo, valor]) => `${rotulo}: ${valor}`),
    '',
    ...(link === null ? [] : [`Abrir no Vigia: ${link}`, '']),
  ].join('\n')

const where = (variable: string): string => `a página Remetentes ou ${variable}`

/** The sentence omits the text of the server, which may repeat sent data. @throws errors that are no SMTP failures */
function smtpFailure(error: unknown): Entrega {
  const code = errorCode(error)
  if (code === null) throw error
  const { code: stage, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
  const status = responseCode ? ` (${responseCode})` : ''
  // 421: the whole server closes (RFC 5321, 3.8).
  const of = responseCode === 421 ? failed : refused
  switch (stage) {
    case 'EAUTH':
    case 'ENOAUTH':
      return failed(
        `O servidor de e-mail não aceitou o usuário ou a senha${status}: confira ${where('VIGIA_SMTP_URL')}.`,
      )
    case 'ETLS':
      return failed('O servidor de e-mail não oferece conexão cifrada, ou seu certificado não é válido para este nome.')
    case 'EENVELOPE':
      return command === 'MAIL FROM'
        ? failed(`O servidor de e-mail recusou o remetente${status}: confira ${where('VIGIA_EMAIL_REMETENTE')}.`)
        : of(`O servidor de e-mail recusou este destinatário${status}.`)
    case 'EMESSAGE':
      return of(`O servidor de e-mail recusou a mensagem${status}.`)
    case 'EPROTOCOL':
      return failed(`O servidor de e-mail respondeu o que não é SMTP${status}.`)
    default:
      return failed(connectionFailure(code))
  }
}
