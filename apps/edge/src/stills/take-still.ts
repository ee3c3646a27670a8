import type { RtspClient } from '@vigia/video/client-choice'
import { createStreamReader } from '@vigia/video/stream-reader'
import type { Still, StillAnswer, StillRequest } from './protocol.ts'

const QUALITY = 75

/**
 * Opens a stream, decodes its first picture and closes it. Uses the own RTSP client, as the probe of the canal did.
 * After half the time without a packet over TCP it reads over UDP.
 */
export async function takeStill({ ticket, url, maxSide, timeoutMs }: StillRequest): Promise<StillAnswer> {
  const taken = new AbortController()
  const timeout = AbortSignal.timeout(timeoutMs)
  let still: Still | null = null
  const read = (client: RtspClient, stallTimeoutMs: number) =>
    createStreamReader({ url, client, openTimeoutMs: timeoutMs, stallTimeoutMs }).run(
      {
        onInfo: () => {},
        async onFrame(frame) {
          if (still) return
          const share = Math.min(1, maxSide / Math.max(frame.width, frame.height))
          const width = Math.max(1, Math.round(frame.width * share))
          const height = Math.max(1, Math.round(frame.height * share))
          still = { jpeg: await frame.toJpeg({ quality: QUALITY, maxWidth: width }), width, height }
          taken.abort()
        },
      },
      AbortSignal.any([taken.signal, timeout]),
    )
  const first = await read('own', timeoutMs / 2)
  const isSilent = typeof first === 'object' && first.failure === 'sem_quadros'
  const end = isSilent ? await read('own_udp', timeoutMs) : first
  const { failure, detail } = typeof end === 'string' ? { failure: null, detail: null } : end
  return { ticket, still, failure, detail }
}
