import { createStreamReader } from '@vigia/video/stream-reader'
import type { Still, StillAnswer, StillRequest } from './protocol.ts'

const QUALITY = 75

/**
 * Opens a stream, decodes its first picture and closes it. Uses the own RTSP client, as the probe of the canal did.
 */
export async function takeStill({ ticket, url, maxSide, timeoutMs }: StillRequest): Promise<StillAnswer> {
  const taken = new AbortController()
  const timeout = AbortSignal.timeout(timeoutMs)
  let still: Still | null = null
  const reader = createStreamReader({ url, client: 'own', openTimeoutMs: timeoutMs, stallTimeoutMs: timeoutMs })
  const end = await reader.run(
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
  return { ticket, still, failure: typeof end === 'string' ? null : end.failure }
}
