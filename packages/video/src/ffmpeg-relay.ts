import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { RtspEnd } from '@vigia/rtsp/client'
import { mediaPeer } from '@vigia/rtsp/client/media-line'
import { connectTo, isSocket } from '@vigia/rtsp/connect'
import { type RtspUrl, withEncodedLogin } from '@vigia/rtsp/rtsp-url'
import { createRedirectionFilter, type SeenRedirection } from './redirection-filter.ts'

/**
 * A connection to a device, and a port of this machine where FFmpeg gets its bytes. FFmpeg's client follows each
 * redirection, also to another device, with the login. The relay passes on no redirection, and never connects a second
 * time.
 */
export interface Relay {
  /** The address of the relay with login and path of the device's one. */
  readonly url: string
  /** IP address of the device. */
  readonly remote: string
  /** The first bytes of the device: RTSP, something else, or none. */
  readonly begun: 'rtsp' | 'foreign' | 'nothing'
  /** The redirection that ended the connection; null: none. */
  readonly redirection: SeenRedirection | null
  /** Resolves when the device has closed too, or after a time limit, so that its limit of connections holds. */
  close(): Promise<void>
}

/** Wait for the device's own close. */
const FAREWELL_MS = 250
const PREFIX = 'RTSP/'

/** Connects to `target`, whose address is `url`. Resolves with the reason if that fails. */
export async function openRelay(
  url: string,
  target: Pick<RtspUrl, 'host' | 'porta' | 'tls'>,
  endsAtMs: number,
  signal: AbortSignal,
): Promise<Relay | RtspEnd> {
  const device = await connectTo(target, endsAtMs, signal)
  if (!isSocket(device)) return device
  device.setNoDelay(true)
  const remote = mediaPeer(device)?.remote ?? ''
  const filter = createRedirectionFilter(remote)
  const gone = new Promise<void>((resolve) => device.once('close', () => resolve()))
  let begun = ''
  let client: Socket | null = null

  device.on('error', () => device.destroy())
  // Read only while FFmpeg takes the bytes: a slow machine leaves them in the socket of the device.
  device.on('data', (chunk: Buffer) => {
    if (begun.length < PREFIX.length) begun += chunk.toString('latin1', 0, PREFIX.length - begun.length)
    const passed = filter.fromDevice(chunk)
    if (filter.redirection) device.destroy()
    else if (client && passed.length > 0 && !client.write(passed)) device.pause()
  })
  device.on('end', () => client?.end())
  device.on('close', () => client?.destroy())
  device.pause()

  const server = createServer((socket) => {
    // Only FFmpeg connects.
    server.close()
    client = socket
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: Buffer) => {
      filter.fromClient(chunk)
      if (!device.write(chunk)) socket.pause()
    })
    device.on('drain', () => socket.resume())
    socket.on('drain', () => device.resume())
    socket.on('close', () => device.end())
    device.resume()
    if (device.destroyed) socket.destroy()
  })
  server.maxConnections = 1
  server.listen(0, '127.0.0.1')
  await once(server, 'listening').catch((error: unknown) => {
    device.destroy()
    throw error
  })
  const bound = server.address()
  const port = typeof bound === 'object' && bound ? bound.port : 0

  return {
    url: withEncodedLogin(url).replace(/^rtsps?:\/\/((?:[^/?]*@)?)[^/?]*/i, `rtsp://$1127.0.0.1:${port}`),
    remote,
    get begun() {
      if (begun === '') return 'nothing'
      return begun === PREFIX ? 'rtsp' : 'foreign'
    },
    get redirection() {
      return filter.redirection
    },
    async close() {
      server.close()
      device.resume()
      device.end()
      const timer = setTimeout(() => device.destroy(), FAREWELL_MS)
      await gone
      clearTimeout(timer)
    },
  }
}
