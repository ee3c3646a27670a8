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
 * Sends by Twilio's Messages API. A message that nobody asked for has to be an approved template (`contentSid`), whose
 * variables are `{{1}}` Empresa, `{{2}}` camera (or box), `{{3}}` what was seen, `{{4}}` when. `ok` means that Twilio took the
 * message; what WhatsApp does with it comes later and is not waited for.
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
 * A client of one message, so that its request ends with `signal`. Loaded here: a service without WhatsApp does without
 * its 30 MB. Twilio's own settings of region and edge cannot name another host; `baseUrl` takes the place of
 * https://api.twilio.com in every request.
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

/** WhatsApp refuses variables that are empty or hold line breaks, tabs or runs of blanks. */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, 200) || '-'

/** The errors of the HTTP client hold the request, auth token included: none of them may leave here. */
function whatsappFailure(error: unknown): Entrega {
  const { code, status } = error as { code?: unknown; status?: unknown }
  if (typeof code === 'number') return failed(twilioFailure(code))
  const network = errorCode(error)
  if (network !== null) return failed(connectionFailure(network))
  if (typeof status === 'number') return failed(`A Twilio respondeu com erro (HTTP ${status}).`)
  if (error instanceof SyntaxError) return failed('A Twilio deu uma resposta ilegível: confira VIGIA_TWILIO_URL.')
  throw new Error(`whatsapp: ${error instanceof Error ? error.name : typeof error} while sending`)
}
