import type { IncomingHttpHeaders } from 'node:http'
import type { Twilio } from 'twilio'
import type { Attachments } from './attachments.ts'
import { connectionFailure, errorCode, gaveUp } from './connection-failure.ts'
import { describeMessage } from './describe-message.ts'
import { DELIVERY_MS, type Entrega, failed, type Mensagem, refused, type Sender } from './interface.ts'
import { retryAfterMs } from './retry-after.ts'
import type { SenderSettings } from './sender-settings.ts'
import type { TwilioSettings } from './settings.ts'
import { isOfAccount, twilioFailure } from './twilio-failure.ts'

interface WhatsappSenderDeps {
  readonly settings: Pick<SenderSettings, 'twilio'>
  readonly attachments: Attachments
  readonly timeoutMs?: number
}

/**
 * Sends with Twilio's Messages API. Unsolicited messages require an approved template (`contentSid`). Its variables:
 * `{{1}}` Empresa, `{{2}}` camera or edge, `{{3}}` kind, `{{4}}` time. The template of `contentSidImagem` has a media
 * header, `https://<host>/{{5}}`, and a button, `https://<host>/{{6}}`. It serves messages with a picture that WhatsApp
 * can fetch over https. `ok` means that Twilio accepted the message; the later delivery by WhatsApp is not awaited.
 */
export function createWhatsappSender({ settings, attachments, timeoutMs = DELIVERY_MS }: WhatsappSenderDeps): Sender {
  const canShowPictures = attachments.origin?.startsWith('https://') === true

  async function templateFor(mensagem: Mensagem, { contentSid, contentSidImagem }: TwilioSettings) {
    const variables = templateVariables(mensagem)
    const picture = canShowPictures && contentSidImagem !== null ? await attachments.pictureUrl(mensagem) : null
    if (picture === null) return { contentSid: contentSid ?? '', variables }
    const paths = [picture, attachments.link(mensagem) ?? ''].map((url) => URL.parse(url)?.pathname.slice(1) ?? '')
    return { contentSid: contentSidImagem ?? '', variables: [...variables, ...paths] }
  }

  return {
    async notes() {
      const { contentSidImagem } = await settings.twilio()
      if (canShowPictures && contentSidImagem !== null) return []
      const lacking = [
        ...(canShowPictures ? [] : ['VIGIA_URL_PUBLICA com https://']),
        ...(contentSidImagem === null ? ['o modelo com imagem (VIGIA_TWILIO_CONTENT_SID_IMAGEM)'] : []),
      ]
      return [`As mensagens de WhatsApp saem sem imagem nem link: falta ${lacking.join(' e ')}.`]
    },
    async send({ endereco }, mensagem, signal) {
      const current = await settings.twilio()
      const { accountSid, authToken, remetente, url } = current
      if (accountSid === null || authToken === null || remetente === null || current.contentSid === null)
        return failed(`O envio por WhatsApp não está configurado neste servidor: falta ${missing(current)}.`)
      const { contentSid, variables } = await templateFor(mensagem, current)
      // Loaded before the time limit, and only here, because a service without WhatsApp saves 30 MB.
      const { default: twilio } = await import('twilio')
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      let waitMs: number | undefined
      try {
        const client = openClient(twilio, {
          accountSid,
          authToken: authToken.reveal(),
          baseUrl: url,
          signal: deadline,
          timeoutMs,
          onAnswer: (headers) => {
            waitMs = retryAfterMs(headers)
          },
        })
        const { errorCode: refusal } = await client.messages.create({
          from: remetente,
          to: `whatsapp:${endereco}`,
          contentSid,
          contentVariables: JSON.stringify(Object.fromEntries(variables.map((text, index) => [index + 1, text]))),
        })
        if (!refusal) return { ok: true }
        return (isOfAccount(refusal, undefined) ? failed : refused)(twilioFailure(refusal), waitMs)
      } catch (error) {
        if (deadline.aborted) return failed(gaveUp(signal, timeoutMs))
        return whatsappFailure(error, waitMs)
      }
    },
  }
}

const missing = ({ accountSid, authToken, remetente, contentSid }: TwilioSettings): string =>
  Object.entries({
    VIGIA_TWILIO_ACCOUNT_SID: accountSid,
    VIGIA_TWILIO_AUTH_TOKEN: authToken,
    VIGIA_TWILIO_REMETENTE: remetente,
    VIGIA_TWILIO_CONTENT_SID: contentSid,
  })
    .flatMap(([name, value]) => (value === null ? [name] : []))
    .join(', ')

interface ClientOptions {
  readonly accountSid: string
  readonly authToken: string
  readonly baseUrl: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly onAnswer: (headers: IncomingHttpHeaders) => void
}

/**
 * A client for one message, so that `signal` aborts its request. `baseUrl` replaces https://api.twilio.com in every
 * request, because Twilio's settings of region and edge cannot set another host.
 */
function openClient(
  twilio: typeof import('twilio'),
  { accountSid, authToken, baseUrl, signal, timeoutMs, onAnswer }: ClientOptions,
): Twilio {
  class BaseUrlClient extends twilio.RequestClient {
    override async request<T>(options: Parameters<typeof twilio.RequestClient.prototype.request<T>>[0]) {
      const { pathname, search } = new URL(options.uri)
      const answer = await super.request<T>({ ...options, uri: `${baseUrl.replace(/\/$/, '')}${pathname}${search}` })
      onAnswer(answer.headers ?? {})
      return answer
    }
  }
  // Without `timeout`, the client ends a request after 30 s, before a longer limit.
  const httpClient = new BaseUrlClient({ keepAlive: false, timeout: 2 * timeoutMs })
  httpClient.axios.defaults.signal = signal
  return twilio(accountSid, authToken, { httpClient })
}

const templateVariables = (mensagem: Mensagem): string[] => describeMessage(mensagem).modelo.map(oneLine)

/** WhatsApp rejects variables that are empty or contain line breaks, tabs or repeated spaces. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 200) || '-'

/** Errors of the HTTP client contain the request with the auth token, so none may leave this function. */
function whatsappFailure(error: unknown, waitMs: number | undefined): Entrega {
  const { code, status } = error as { code?: unknown; status?: unknown }
  if (typeof code === 'number')
    return (isOfAccount(code, typeof status === 'number' ? status : undefined) ? failed : refused)(
      twilioFailure(code),
      waitMs,
    )
  const network = errorCode(error)
  if (network !== null) return failed(connectionFailure(network), waitMs)
  if (typeof status === 'number')
    return (isOfAccount(0, status) || status === 404 ? failed : refused)(
      `A Twilio respondeu com erro (HTTP ${status}).`,
      waitMs,
    )
  if (error instanceof SyntaxError)
    return refused('A Twilio deu uma resposta ilegível: confira VIGIA_TWILIO_URL.', waitMs)
  throw new Error(`whatsapp: ${error instanceof Error ? error.name : typeof error} while sending`)
}
