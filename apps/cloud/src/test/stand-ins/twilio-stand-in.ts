import { type HttpReceiver, type Intercept, startHttpReceiver } from './http-receiver.ts'

export const TWILIO = {
  accountSid: `AC${'0123456789abcdef'.repeat(2)}`,
  authToken: 'f00dbabe-token-da-twilio',
  remetente: 'whatsapp:+551133334444',
  contentSid: `HX${'0123456789abcdef'.repeat(2)}`,
} as const

/** The used part of Twilio's Messages API, with its response formats (API version 2010-04-01). */
export interface TwilioStandIn {
  readonly url: string
  readonly http: HttpReceiver
  /** Form fields of the accepted messages. */
  readonly messages: readonly Readonly<Record<string, string>>[]
  /** Refuses later messages to the number with this code. */
  refuse(to: string, code: number, status?: number): void
  close(): Promise<void>
}

export async function startTwilioStandIn(intercept: Intercept = async () => false): Promise<TwilioStandIn> {
  const messages: Record<string, string>[] = []
  const refusals = new Map<string, { code: number; status: number }>()
  const authorization = `Basic ${Buffer.from(`${TWILIO.accountSid}:${TWILIO.authToken}`).toString('base64')}`
  const http = await startHttpReceiver(async (response, request) => {
    if (await intercept(response, request)) return
    const { method, path, headers, body } = request
    const answer = (status: number, content: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content))
    const refuse = (status: number, code: number, message: string) =>
      answer(status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })
    const form = Object.fromEntries(new URLSearchParams(body))
    if (headers.authorization !== authorization) return refuse(401, 20003, 'Authenticate')
    if (method !== 'POST' || path !== `/2010-04-01/Accounts/${TWILIO.accountSid}/Messages.json`)
      return refuse(404, 20404, `The requested resource ${path} was not found`)
    const refusal = refusals.get(form.To ?? '')
    if (refusal) return refuse(refusal.status, refusal.code, `Refused, with ${TWILIO.authToken} in it`)
    messages.push(form)
    return answer(201, {
      sid: `SM${'0'.repeat(32)}`,
      account_sid: TWILIO.accountSid,
      api_version: '2010-04-01',
      status: 'queued',
      direction: 'outbound-api',
      from: form.From,
      to: form.To,
      body: '',
      error_code: null,
      error_message: null,
      date_created: 'Sat, 21 Nov 2026 10:00:00 +0000',
      date_updated: 'Sat, 21 Nov 2026 10:00:00 +0000',
      date_sent: null,
      num_media: '0',
      num_segments: '1',
      messaging_service_sid: null,
      price: null,
      price_unit: null,
      uri: `${path}`,
      subresource_uris: {},
    })
  })
  return {
    url: http.url,
    http,
    messages,
    refuse: (to, code, status = 400) => {
      refusals.set(`whatsapp:${to}`, { code, status })
    },
    close: http.close,
  }
}
