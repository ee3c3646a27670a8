import type { Twilio } from 'twilio'
import { connectionFailure, errorCode, gaveUp } from './connection-failure.ts'
import { describeMessage } from './describe-message.ts'
import { DELIVERY_MS, type Entrega, failed, type Mensagem, type Sender } from './interface.ts'
import type { TwilioSettings } from './settings.ts'
import { twilioFailure } from './twilio-failure.ts'

interface WhatsappSenderDeps {
  readonly settings: TwilioSettings
  readonly timeoutMs?: number
}

/**
 * Sends with Twilio's Messages API. Unsolicited messages require an approved template (`contentSid`). Its variables:
 * `{{1}}` Empresa, `{{2}}` camera or edge, `{{3}}` kind, `{{4}}` time. `ok` means that Twilio accepted the message; the
 * later delivery by WhatsApp is not awaited.
 */
export function createWhatsappSender({ settings, timeoutMs = DELIVERY_MS }: WhatsappSenderDeps): Sender<string> {
  const { accountSid, authToken, remetente, contentSid, url } = settings
  return {
    async send(destino, mensagem, signal) {
      if (accountSid === null || authToken === null || remetente === null || contentSid === null)
        return failed(`O envio por WhatsApp não está configurado neste servidor: falta ${missing(settings)}.`)
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      try {
        const client = await openClient(accountSid, authToken.reveal(), url, deadline)
        const { errorCode: refusal } = await client.messages.create({
          from: remetente,
          to: `whatsapp:${destino}`,
          contentSid,
          contentVariables: JSON.stringify(templateVariables(mensagem)),
        })
        return refusal ? failed(twilioFailure(refusal)) : { ok: true }
      } catch (error) {
        if (deadline.aborted) return failed(gaveUp(signal, timeoutMs))
        return whatsappFailure(error)
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

/**
 * A client for one message, so that `signal` aborts its request. The module is loaded here, so that a service without
 * WhatsApp saves 30 MB. `baseUrl` replaces https://api.twilio.com in every request, because Twilio's settings of region
 * and edge cannot set another host.
 */
async function openClient(
  accountSid: string,
  authToken: string,
  baseUrl: string,
  signal: AbortSignal,
): Promise<Twilio> {
  const { default: twilio } = await import('twilio')
  class BaseUrlClient extends twilio.RequestClient {
    override request<T>(options: Parameters<typeof twilio.RequestClient.prototype.request<T>>[0]) {
      const { pathname, search } = new URL(options.uri)
      return super.request<T>({ ...options, uri: `${baseUrl.replace(/\/$/, '')}${pathname}${search}` })
    }
  }
  const httpClient = new BaseUrlClient({ keepAlive: false })
  httpClient.axios.defaults.signal = signal
  return twilio(accountSid, authToken, { httpClient })
}

const templateVariables = (mensagem: Mensagem): Record<string, string> =>
  Object.fromEntries(describeMessage(mensagem).modelo.map((text, index) => [String(index + 1), oneLine(text)]))

/** WhatsApp rejects variables that are empty or contain line breaks, tabs or repeated spaces. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 200) || '-'

/** Errors of the HTTP client contain the request with the auth token, so none may leave this function. */
function whatsappFailure(error: unknown): Entrega {
  const { code, status } = error as { code?: unknown; status?: unknown }
  if (typeof code === 'number') return failed(twilioFailure(code))
  const network = errorCode(error)
  if (network !== null) return failed(connectionFailure(network))
  if (typeof status === 'number') return failed(`A Twilio respondeu com erro (HTTP ${status}).`)
  if (error instanceof SyntaxError) return failed('A Twilio deu uma resposta ilegível: confira VIGIA_TWILIO_URL.')
  throw new Error(`whatsapp: ${error instanceof Error ? error.name : typeof error} while sending`)
}
