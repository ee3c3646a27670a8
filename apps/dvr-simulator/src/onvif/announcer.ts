import { createSocket, type Socket } from 'node:dgram'
import { childAt, escapeXml, parseXml } from '@vigia/rtsp/xml'

/** WS-Discovery 1.0, section 2.4. */
const GROUP = '239.255.255.250'
const PORT = 3702

export interface AnnouncerOptions {
  /** Address of the interface on which the device is announced. */
  readonly host: string
  /** Port of the ONVIF service. */
  readonly porta: number
  /** Maker and model, as in the scopes of a device. */
  readonly nome: string
}

/** Answers the Probes of WS-Discovery, so that clients in the same network find the simulator. */
export interface Announcer {
  /** Rejects with the system's error. */
  start(): Promise<void>
  stop(): Promise<void>
}

export function createAnnouncer({ host, porta, nome }: AnnouncerOptions): Announcer {
  let socket: Socket | null = null
  return {
    start: () =>
      new Promise((resolve, reject) => {
        const opened = createSocket({ type: 'udp4', reuseAddr: true })
        socket = opened
        opened.once('error', reject)
        opened.on('message', (message, { address, port }) => {
          const id = probeId(message.toString('utf8'))
          if (id !== null) opened.send(answer(id, host, porta, nome), port, address, () => {})
        })
        opened.bind(PORT, () => {
          opened.addMembership(GROUP, host)
          opened.off('error', reject)
          opened.on('error', () => {})
          resolve()
        })
      }),
    stop: () => new Promise((resolve) => (socket ? socket.close(() => resolve()) : resolve())),
  }
}

/** Id of a Probe; null: another message. */
function probeId(text: string): string | null {
  const document = parseXml(text)
  if (!document || !childAt(document, 'Body', 'Probe')) return null
  return childAt(document, 'Header', 'MessageID')?.text.trim() ?? null
}

function answer(id: string, host: string, porta: number, nome: string): string {
  const [maker = '', ...model] = nome.split(' ')
  const scopes = [
    'type/video_encoder',
    `name/${encodeURIComponent(maker)}`,
    `hardware/${encodeURIComponent(model.join(' '))}`,
  ]
  return (
    '<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope" ' +
    'xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing" ' +
    'xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery"><s:Header>' +
    `<a:RelatesTo>${escapeXml(id)}</a:RelatesTo></s:Header><s:Body><d:ProbeMatches><d:ProbeMatch>` +
    `<d:Scopes>${scopes.map((scope) => `onvif://www.onvif.org/${scope}`).join(' ')}</d:Scopes>` +
    `<d:XAddrs>http://${host}:${porta}/onvif/device_service</d:XAddrs>` +
    '</d:ProbeMatch></d:ProbeMatches></s:Body></s:Envelope>'
  )
}
