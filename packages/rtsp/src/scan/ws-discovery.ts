import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentDecode } from '../percent.ts'
import { childAt, parseXml, type XmlElement } from '../xml.ts'

/** Announcement of a device about itself. It is not verified and may be forged. */
export interface Announcement {
  /** Source address of the answer. The addresses in its text are ignored. */
  readonly host: string
  /** Port of the ONVIF service. */
  readonly porta: number
  /** From the scopes `…/name/…` and `…/hardware/…`; '' when absent. */
  readonly name: string
  readonly hardware: string
}

/** WS-Discovery 1.0, section 2.4. */
const GROUP = '239.255.255.250'
const PORT = 3702
/** Two messages, because UDP may lose one; devices ignore a repeated message id. */
const REPEAT_MS = 400
const MAX_ANSWERS = 512
/** A ProbeMatch of a device has about 2 KiB. */
const MAX_BYTES = 16 * 1024

const probe = (id: string): string =>
  '<?xml version="1.0" encoding="UTF-8"?><e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope" ' +
  'xmlns:w="http://schemas.xmlsoap.org/ws/2004/08/addressing" ' +
  'xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" ' +
  'xmlns:dn="http://www.onvif.org/ver10/network/wsdl"><e:Header>' +
  `<w:MessageID>uuid:${id}</w:MessageID>` +
  '<w:To e:mustUnderstand="true">urn:schemas-xmlsoap-org:ws:2005:04:discovery</w:To>' +
  '<w:Action e:mustUnderstand="true">http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</w:Action></e:Header>' +
  '<e:Body><d:Probe><d:Types>dn:NetworkVideoTransmitter</d:Types></d:Probe></e:Body></e:Envelope>'

/**
 * Sends a Probe from the interface with address `own` and collects the answers for `waitMs`. Answers of addresses
 * outside `addresses` are dropped. An interface without multicast yields an empty list.
 */
export async function discoverOnvif(
  { own, addresses }: { readonly own: string; readonly addresses: readonly string[] },
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<Announcement[]> {
  const wanted = new Set(addresses)
  const found = new Map<string, Announcement>()
  const socket = createSocket({ type: 'udp4', reuseAddr: true })
  const failed = Promise.withResolvers<void>()
  socket.on('error', () => failed.resolve())
  socket.on('message', (message, { address }) => {
    if (!wanted.has(address) || found.has(address) || found.size >= MAX_ANSWERS || message.length > MAX_BYTES) return
    const announced = readAnnouncement(message.toString('utf8'), address)
    if (announced) found.set(address, announced)
  })
  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})
  const send = () => {
    const message = probe(randomUUID())
    // A send error arrives in the callback; without it the socket would emit 'error'.
    socket.send(message, PORT, GROUP, (error) => error && failed.resolve())
  }
  const collect = async () => {
    await new Promise<void>((resolve) => socket.bind(0, own, resolve))
    socket.setMulticastInterface(own)
    socket.setMulticastTTL(1)
    send()
    await pause(Math.min(REPEAT_MS, waitMs / 2))
    send()
    await pause(Math.max(0, waitMs - REPEAT_MS))
  }
  try {
    // An interface may vanish between the list of interfaces and this call.
    await Promise.race([collect().catch(() => {}), failed.promise])
  } finally {
    socket.close()
  }
  return [...found.values()]
}

/** Reads a ProbeMatches message; null: another message. */
export function readAnnouncement(text: string, host: string): Announcement | null {
  const document = parseXml(text)
  const match = document && childAt(document, 'Body', 'ProbeMatches', 'ProbeMatch')
  if (!match) return null
  const scopes = wordsOf(childAt(match, 'Scopes'))
  const scope = (name: string) => {
    const prefix = `onvif://www.onvif.org/${name}/`
    const value = scopes.find((one) => one.toLowerCase().startsWith(prefix))?.slice(prefix.length) ?? ''
    return percentDecode(value).replaceAll('_', ' ').trim()
  }
  return {
    host,
    porta: servicePort(wordsOf(childAt(match, 'XAddrs')), host),
    name: scope('name'),
    hardware: scope('hardware'),
  }
}

const wordsOf = (element: XmlElement | undefined): string[] => element?.text.trim().split(/\s+/).slice(0, 64) ?? []

/** Devices with several interfaces list one address for each; the one that answered is preferred. */
function servicePort(addresses: readonly string[], host: string): number {
  const urls = addresses.flatMap((address) => URL.parse(address) ?? []).filter(({ protocol }) => protocol === 'http:')
  const url = urls.find(({ hostname }) => hostname === host) ?? urls[0]
  return Number(url?.port || 80)
}
