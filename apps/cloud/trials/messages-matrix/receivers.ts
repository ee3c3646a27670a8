import type { TipoCanal } from '@vigia/contracts/destinos'
import type { CorpoWebhook } from '@vigia/contracts/notificacoes'
import type { TestInstallation } from '@vigia/link/testing/installation'
import { subscribeToAll } from '@vigia/link/testing/mqtt-subscriber'
import { startCustomerBroker } from '@vigia/testing/mosquitto'
import { newPushBrowser, startPushService } from '@vigia/testing/push-service'
import { startHttpReceiver } from '../../src/test/stand-ins/http-receiver.ts'
import { startSmtpReceiver } from '../../src/test/stand-ins/smtp-receiver.ts'
import { startTcpProxy } from '../../src/test/stand-ins/tcp-proxy.ts'
import { startTelegramStandIn } from '../../src/test/stand-ins/telegram-stand-in.ts'
import { startTwilioStandIn } from '../../src/test/stand-ins/twilio-stand-in.ts'
import { createHttpGate, type Fault, type HttpGate, SLOW_MS } from './faults.ts'

/** One message that a receiver accepted. */
interface Arrival {
  readonly destino: string
  /** As the protocol carries it; null: the protocol has none. */
  readonly id: string | null
  /** All text that a person or a program reads. */
  readonly text: string
}

export interface Attempt {
  /** Destination, or the message where each message has its own pauses. */
  readonly key: string
  /** Id of the message; null: not visible before the answer. */
  readonly id: string | null
}

/** A server on this machine that speaks the protocol of one kind of destination. */
export interface Receiver {
  readonly name: string
  /** null: a browser. */
  readonly canal: { readonly tipo: TipoCanal; readonly agrupar: boolean; readonly credenciais: Login | null } | null
  readonly faults: readonly Fault[]
  /** Destination that gets the messages, and another one of the same server that gets none. */
  readonly destinos: readonly [wanted: string, other: string]
  setFault(fault: Fault | null): void
  /** Called at each attempt that the receiver sees. */
  onAttempt: (attempt: Attempt) => void
  arrivals(): Arrival[]
  close(): Promise<void>
}

type Login = { readonly usuario: string; readonly senha: string }

const SMTP_LOGIN = { user: 'vigia', pass: 'senha-do-smtp-4711' } as const

const httpFaults = ['slow', 'busy', 'pause', 'error', 'redirect', 'mute', 'open'] as const
/** SMTP and MQTT have neither redirects nor a pause that the server asks for. */
const otherFaults = ['slow', 'busy', 'error', 'mute', 'open'] as const

const faultsOf = (gate: HttpGate, location: string) => (fault: Fault | null) => {
  gate.fault = fault
  gate.location = location
}

interface Started {
  readonly receiver: Receiver
  /** Settings of the senders for this receiver. */
  readonly env?: Readonly<Record<string, string>>
}

/** @param trap address that redirects name */
export async function startWebhook(trap: string, agrupar: boolean): Promise<Started> {
  const gate = createHttpGate()
  const accepted: Arrival[] = []
  const http = await startHttpReceiver(async (response, { path, headers, body }) => {
    const id = headers['webhook-id'] ?? null
    receiver.onAttempt({ key: path, id })
    if (await gate.take(response)) return
    accepted.push({ destino: http.url + path, id, text: body })
    response.writeHead(200).end('ok')
  })
  const receiver: Receiver = {
    name: agrupar ? 'webhook, agrupar' : 'webhook',
    canal: { tipo: 'webhook', agrupar, credenciais: null },
    faults: httpFaults,
    destinos: [`${http.url}/sim`, `${http.url}/nao`],
    setFault: faultsOf(gate, trap),
    onAttempt: () => {},
    arrivals: () => accepted,
    close: http.close,
  }
  return { receiver }
}

export async function startWhatsapp(trap: string): Promise<Started> {
  const gate = createHttpGate((status) => ({ code: status === 429 ? 20429 : 20500, message: 'Refused', status }))
  const twilio = await startTwilioStandIn((response, { body }) => {
    receiver.onAttempt({ key: new URLSearchParams(body).get('To') ?? '', id: null })
    return gate.take(response)
  })
  const receiver: Receiver = {
    name: 'whatsapp',
    canal: { tipo: 'whatsapp', agrupar: true, credenciais: null },
    faults: httpFaults,
    destinos: ['+5511987650001', '+5511987650002'],
    setFault: faultsOf(gate, trap),
    onAttempt: () => {},
    arrivals: () =>
      twilio.messages.map(({ To = '', ContentVariables = '' }) => ({
        destino: To.replace('whatsapp:', ''),
        id: null,
        text: ContentVariables,
      })),
    close: twilio.close,
  }
  return { receiver, env: { VIGIA_TWILIO_URL: twilio.url } }
}

export async function startTelegram(trap: string): Promise<Started> {
  const gate = createHttpGate((status) => ({
    ok: false,
    error_code: status,
    description: 'Refused',
    ...(gate.fault === 'pause' && { parameters: { retry_after: 1_800 } }),
  }))
  const telegram = await startTelegramStandIn((response, { body }) => {
    receiver.onAttempt({ key: /chat_id"[:\r\n]*"?(-?\d+)/.exec(body)?.[1] ?? '', id: null })
    return gate.take(response)
  })
  const receiver: Receiver = {
    name: 'telegram',
    canal: { tipo: 'telegram', agrupar: true, credenciais: null },
    faults: httpFaults,
    destinos: ['-1001', '-1002'],
    setFault: faultsOf(gate, trap),
    onAttempt: () => {},
    arrivals: () =>
      telegram.messages.map(({ fields }) => ({
        destino: fields.chat_id ?? '',
        id: null,
        text: fields.caption ?? fields.text ?? '',
      })),
    close: telegram.close,
  }
  return { receiver, env: { VIGIA_TELEGRAM_URL: telegram.url } }
}

/** A browser that a login subscribed. */
export async function startPush(trap: string, chavePublica: () => string) {
  const gate = createHttpGate()
  const accepted: Arrival[] = []
  const service = await startPushService(async (response, push) => {
    receiver.onAttempt({ key: push.path, id: null })
    if (await gate.take(response)) return true
    const browser = browsers.find((each) => service.url + push.path === each.subscription().endpoint)
    const aviso = browser?.read(push, chavePublica())
    const destino = service.url + push.path
    accepted.push({ destino, id: push.headers.topic ?? null, text: `${aviso?.titulo}\n${aviso?.corpo}` })
    return false
  })
  const browsers = [newPushBrowser(service), newPushBrowser(service)] as const
  const [wanted, other] = browsers.map((browser) => browser.subscription())
  if (!wanted || !other) throw new Error('no browsers')
  const receiver: Receiver = {
    name: 'push',
    canal: null,
    faults: httpFaults,
    destinos: [wanted.endpoint, other.endpoint],
    setFault: faultsOf(gate, trap),
    onAttempt: () => {},
    arrivals: () => accepted,
    close: service.close,
  }
  return { receiver, subscriptions: [wanted, other] as const }
}

const smtpErrors = { busy: 451, error: 554 } as const

export async function startEmail({ broker }: TestInstallation): Promise<Started> {
  let fault: Fault | null = null
  const smtp = await startSmtpReceiver(SMTP_LOGIN, { key: broker.key, cert: broker.cert }, async () => {
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
    if (fault === 'busy' || fault === 'error')
      throw Object.assign(new Error('Refused'), { responseCode: smtpErrors[fault] })
  })
  const proxy = await startTcpProxy(smtp.port, () => receiver.onAttempt({ key: 'smtp', id: null }))
  const receiver: Receiver = {
    name: 'email',
    canal: { tipo: 'email', agrupar: true, credenciais: null },
    faults: otherFaults,
    destinos: ['sim@exemplo.com.br', 'nao@exemplo.com.br'],
    setFault(next) {
      fault = next
      proxy.answer = next === 'mute' || next === 'open' ? next : 'direct'
    },
    onAttempt: () => {},
    arrivals: () =>
      smtp.mails.map(({ to: [destino = ''], headers, text }) => ({
        destino,
        id: headers.find(([name]) => name === 'message-id')?.[1] ?? null,
        text,
      })),
    async close() {
      await proxy.close()
      await smtp.close()
    },
  }
  const env = { VIGIA_SMTP_URL: `smtp://${SMTP_LOGIN.user}:${SMTP_LOGIN.pass}@127.0.0.1:${proxy.port}` }
  return { receiver, env }
}

const mqttAnswers = { slow: 'slow', busy: 'unavailable', error: 'closed', mute: 'mute', open: 'open' } as const

/** Needs mosquitto. */
export async function startMqtt(): Promise<Started> {
  const login = { usuario: 'casa', senha: 's3nh@-do-broker' }
  const broker = await startCustomerBroker(login)
  const subscriber = await subscribeToAll(broker.porta ?? 0, login)
  const proxy = await startTcpProxy(broker.porta ?? 0, () => receiver.onAttempt({ key: 'mqtt', id: null }))
  const url = `mqtt://127.0.0.1:${proxy.port}`
  const receiver: Receiver = {
    name: 'mqtt',
    canal: { tipo: 'mqtt', agrupar: false, credenciais: login },
    faults: otherFaults,
    destinos: [`${url}/sim`, `${url}/nao`],
    setFault(fault) {
      proxy.answer = fault === null || fault === 'pause' || fault === 'redirect' ? 'direct' : mqttAnswers[fault]
    },
    onAttempt: () => {},
    arrivals: () =>
      subscriber.received.flatMap(({ topic, payload }) => {
        const [prefix, folder] = topic.split('/')
        if (folder !== 'mensagens') return []
        const { id } = JSON.parse(payload.toString()) as CorpoWebhook
        return [{ destino: `${url}/${prefix}`, id, text: payload.toString() }]
      }),
    async close() {
      await subscriber.close()
      await proxy.close()
      await broker.stop()
    },
  }
  return { receiver }
}
