import { type HttpReceiver, type Intercept, startHttpReceiver } from './http-receiver.ts'

export const TELEGRAM_TOKEN = '123456789:AAE-token-do-telegram-de-teste'

interface TelegramMessage {
  readonly method: string
  readonly fields: Readonly<Record<string, string>>
  /** Bytes of `photo`; null: none. */
  readonly photo: Buffer | null
}

interface Refusal {
  readonly error_code: number
  readonly description: string
  readonly parameters?: object
}

/** The used part of Telegram's Bot API, with its response formats (Bot API 9). */
export interface TelegramStandIn {
  readonly url: string
  readonly http: HttpReceiver
  readonly messages: readonly TelegramMessage[]
  /** Refuses later messages to the chat. */
  refuse(chatId: string, code: number, description: string, parameters?: object): void
  close(): Promise<void>
}

export async function startTelegramStandIn(intercept: Intercept = async () => false): Promise<TelegramStandIn> {
  const messages: TelegramMessage[] = []
  const refusals = new Map<string, Refusal>()
  const http = await startHttpReceiver(async (response, request) => {
    if (await intercept(response, request)) return
    const { method, path, headers, body, bytes } = request
    const answer = (status: number, content: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
    const refuse = (refusal: Refusal) => answer(refusal.error_code, { ok: false, ...refusal })
    const [, token, called = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? []
    if (token !== TELEGRAM_TOKEN) return refuse({ error_code: 401, description: 'Unauthorized' })
    if (method !== 'POST' || !['sendMessage', 'sendPhoto'].includes(called))
      return refuse({ error_code: 404, description: 'Not Found' })
    const { fields, photo } = headers['content-type']?.startsWith('application/json')
      ? { fields: JSON.parse(body), photo: null }
      : await readForm(bytes, headers['content-type'] ?? '')
    const refusal = refusals.get(fields.chat_id ?? '')
    if (refusal) return refuse(refusal)
    messages.push({ method: called, fields, photo })
    const chat = { id: Number(fields.chat_id), type: 'group' }
    return answer(200, { ok: true, result: { message_id: messages.length, date: 1, chat } })
  })
  return {
    url: http.url,
    http,
    messages,
    refuse: (chatId, error_code, description, parameters) => {
      refusals.set(chatId, { error_code, description, ...(parameters && { parameters }) })
    },
    close: http.close,
  }
}

async function readForm(bytes: Buffer, type: string) {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  const file = form.get('photo')
  const fields: Record<string, string> = {}
  for (const [name, text] of form) if (typeof text === 'string') fields[name] = text
  return { fields, photo: file instanceof File ? Buffer.from(await file.arrayBuffer()) : null }
}
