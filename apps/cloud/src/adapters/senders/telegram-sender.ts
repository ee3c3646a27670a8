import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Attachments } from './attachments.ts'
import { connectionFailure, errorCode, gaveUp } from './connection-failure.ts'
import { describeMessage } from './describe-message.ts'
import { exchange } from './exchange.ts'
import { DELIVERY_MS, type Entrega, failed, refused, type Sender, type Texto } from './interface.ts'
import type { SenderSettings } from './sender-settings.ts'

interface TelegramSenderDeps {
  readonly settings: Pick<SenderSettings, 'telegram'>
  readonly attachments: Attachments
  readonly timeoutMs?: number
}

/** Longest caption of a photo, in characters (Bot API, sendPhoto). */
const MAX_CAPTION = 1024

/** Response of the Bot API (core.telegram.org/bots/api#making-requests). */
const answerSchema = z.object({
  ok: z.boolean(),
  description: z.string().default(''),
  parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() }).default({}),
})
type Answer = z.infer<typeof answerSchema>

/**
 * Sends as a bot, with the picture and its text as one photo message. The text is plain: no character of a name is
 * markup.
 */
export function createTelegramSender({ settings, attachments, timeoutMs = DELIVERY_MS }: TelegramSenderDeps): Sender {
  return {
    async send({ endereco }, mensagem, signal) {
      const { token, url } = await settings.telegram()
      if (token === null)
        return failed('O envio por Telegram não está configurado neste servidor: falta VIGIA_TELEGRAM_TOKEN.')
      const link = attachments.link(mensagem)
      const text = messageText(describeMessage(mensagem, link), link)
      const picture = await attachments.boxedPicture(mensagem)
      const call = picture === null ? textCall(endereco, text) : photoCall(endereco, text, picture)
      const address = new URL(`${url.replace(/\/$/, '')}/bot${token.reveal()}/${call.method}`)
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      try {
        const answer = await exchange({ url: address, ...call }, deadline)
        const read = readAnswer(answer.text)
        // An answer that was cut short says nothing; a whole one counts, even if its connection stays open.
        if (read === null) deadline.throwIfAborted()
        return outcome(answer, read)
      } catch (error) {
        if (deadline.aborted) return failed(gaveUp(signal, timeoutMs))
        const code = errorCode(error)
        if (code === null) throw error
        return failed(connectionFailure(code))
      }
    },
  }
}

function textCall(chatId: string, text: string) {
  const body = JSON.stringify({ chat_id: chatId, text, link_preview_options: { is_disabled: true } })
  return { method: 'sendMessage', headers: { 'content-type': 'application/json', ...lengthOf(body) }, body }
}

/** `multipart/form-data` (RFC 7578). FormData would send each line break of the caption as two characters. */
function photoCall(chatId: string, caption: string, jpeg: Buffer) {
  const boundary = randomUUID()
  const part = (name: string, type: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${type}\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(`${part('chat_id', '')}${chatId}\r\n${part('caption', '')}${caption}\r\n`),
    Buffer.from(part('photo', '; filename="evento.jpg"\r\nContent-Type: image/jpeg')),
    jpeg,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, ...lengthOf(body) }
  return { method: 'sendPhoto', headers, body }
}

const lengthOf = (body: string | Buffer) => ({ 'content-length': String(Buffer.byteLength(body)) })

function messageText({ titulo, abertura, dados }: Texto, link: string | null): string {
  const tail = link === null ? '' : `\n\nAbrir no Vigia: ${link}`
  const head = [titulo, '', abertura, ...dados.map(([rotulo, valor]) => `${rotulo}: ${valor}`)].join('\n')
  return shortened(head, MAX_CAPTION - tail.length) + tail
}

/** Cuts between characters, not within a surrogate pair. */
const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`

function readAnswer(text: string): Answer | null {
  try {
    return answerSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** @param answer null: the body was not an answer of the Bot API */
function outcome({ status, waitMs }: { status: number; waitMs: number | undefined }, answer: Answer | null): Entrega {
  if (status === 200 && answer?.ok) return { ok: true }
  if (status >= 300 && status < 400)
    return failed(`O Telegram respondeu com um redirecionamento (${status}), que não é seguido.`)
  if (answer === null)
    return (status >= 500 ? failed : refused)(`O Telegram deu uma resposta ilegível (HTTP ${status}).`, waitMs)
  const { description, parameters } = answer
  if (status === 429) {
    const askedMs = parameters.retry_after === undefined ? (waitMs ?? 0) : parameters.retry_after * 1000
    return failed(`O Telegram pediu menos envios: espera de ${Math.ceil(askedMs / 1000)} s (429).`, askedMs)
  }
  if (status === 401 || status === 404)
    return failed(`O Telegram não aceitou o token do bot (${status}): confira a página Remetentes.`)
  if (status === 403)
    return refused('O bot não pode escrever nesta conversa (403): a pessoa o bloqueou, ou ele saiu do grupo.')
  if (parameters.migrate_to_chat_id !== undefined)
    return refused(`O grupo virou supergrupo: troque o destino por ${parameters.migrate_to_chat_id}.`)
  if (/chat not found/i.test(description))
    return refused(
      'O Telegram não achou a conversa: escreva primeiro ao bot, ou ponha o bot no grupo, e confira o número.',
    )
  if (/not enough rights/i.test(description)) return refused('O bot não tem permissão de enviar fotos nesta conversa.')
  return (status >= 500 ? failed : refused)(`O Telegram recusou a mensagem (${status}).`, waitMs)
}
