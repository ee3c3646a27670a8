import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { childAt, parseXml } from '@vigia/rtsp/xml'
import type { Channel } from '../rtsp/channels.ts'
import { type Announcer, createAnnouncer } from './announcer.ts'
import { answerTo, type Device, envelope, fault, MEDIA_PATH, type MediaForm, openCalls } from './answers.ts'
import { createOnvifLogin, type LoginOptions } from './login.ts'
import { createPtz, PTZ_PATH, type PtzCounts } from './ptz.ts'

export interface OnvifSettings {
  /** HTTP port; 0: any free port. */
  readonly porta: number
  readonly login: LoginOptions['login']
  /** Offset of the device's clock from this machine's clock. */
  readonly relogioS: number
  /** The time that it reports minus its clock; 0 when absent. */
  readonly horaDitaS?: number
  /** The host in its addresses; simulates a device behind a NAT with an unreachable host. */
  readonly host: string
  /** Port of RTSP in its addresses; absent: the right one. Simulates a router that maps ports. */
  readonly rtspDita?: number
  /** Maker and model in its answers to WS-Discovery; absent: it does not answer. */
  readonly nome?: string
  /** Default: version 1. */
  readonly media?: MediaForm
  /** All channels move; no when absent. */
  readonly ptz?: boolean
  /** It sends keyframes on request; yes when absent. */
  readonly sincronia?: boolean
}

export interface OnvifOptions extends OnvifSettings {
  readonly listenOn: string
  readonly rtspPorta: number
  readonly channels: readonly Channel[]
  readonly credentials: LoginOptions['credentials']
}

/** Counters for the tests of clients. */
export interface OnvifCounts extends Partial<PtzCounts> {
  readonly onvif_conexoes_max: number
  readonly onvif_logins_recusados: number
  /** Profiles of the SetSynchronizationPoint calls that had a right login, in order. */
  readonly sincronias: readonly string[]
}

export interface OnvifServer {
  /** Resolves when the server listens; rejects with the system's error. */
  start(): Promise<void>
  stop(): Promise<void>
  readonly counts: OnvifCounts
}

/** The part of ONVIF (device and media service) that clients need to find the streams. */
export function createOnvifServer(options: OnvifOptions): OnvifServer {
  const { porta, listenOn, host, rtspPorta, channels, credentials } = options
  const now = () => Date.now() + options.relogioS * 1000
  const login = createOnvifLogin({ credentials, login: options.login, now })
  let [open, most, refused] = [0, 0, 0]
  let device: Device
  let announcer: Announcer | null = null
  const ptz = options.ptz ? createPtz() : null
  const sincronias: string[] = []

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const reply = (status: number, body: string, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'Content-Type': 'application/soap+xml; charset=utf-8', ...headers })
        .end(envelope(body))
    const document = request.method === 'POST' ? parseXml(await text(request)) : null
    const call = document && childAt(document, 'Body')?.children[0]
    if (!document || !call || ![MEDIA_PATH, PTZ_PATH, '/onvif/device_service'].includes(request.url ?? '')) {
      response.writeHead(404).end()
      return
    }
    const verdict = openCalls.has(call.name) ? 'ok' : login.judge(request, document)
    if (verdict === 'wrong' || verdict === 'late') refused++
    if (verdict !== 'ok')
      return void (login.challenge === null
        ? reply(400, fault('ter:NotAuthorized', verdict === 'late' ? 'Wsse authorized time check failed.' : undefined))
        : reply(401, fault('ter:NotAuthorized'), { 'WWW-Authenticate': login.challenge }))
    const token = childAt(call, 'ProfileToken')?.text ?? ''
    const isSync = call.name === 'SetSynchronizationPoint'
    if (isSync) sincronias.push(token)
    const answer = request.url === PTZ_PATH ? (ptz?.answer(call) ?? null) : answerTo(call.name, token, device)
    const refusal = isSync && !device.hasSync ? 'ter:ActionNotSupported' : 'ter:InvalidArgVal'
    reply(answer === null ? 400 : 200, answer ?? fault(refusal))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  server.on('connection', (socket) => {
    most = Math.max(most, ++open)
    socket.once('close', () => open--)
  })
  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(porta, listenOn, () => {
          server.off('error', reject)
          const address = server.address()
          const own = typeof address === 'object' && address ? address.port : porta
          const addresses = { http: `${host}:${own}`, rtsp: `${host}:${options.rtspDita ?? rtspPorta}` }
          const reported = () => now() + (options.horaDitaS ?? 0) * 1000
          const { media = '1', sincronia: hasSync = true } = options
          device = { channels, ...addresses, now: reported, hasPtz: ptz !== null, media, hasSync }
          if (options.nome === undefined) return resolve()
          announcer = createAnnouncer({ host: listenOn, porta: own, nome: options.nome })
          announcer.start().then(resolve, reject)
        })
      }),
    async stop() {
      ptz?.stop()
      await announcer?.stop()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
    get counts() {
      return { onvif_conexoes_max: most, onvif_logins_recusados: refused, sincronias, ...ptz?.counts }
    },
  }
}
