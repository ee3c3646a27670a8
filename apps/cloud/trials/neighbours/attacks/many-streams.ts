import { clientOf } from '../../../src/test/clients/client.ts'
import { type Attack, repeat } from '../attack.ts'

const STREAMS = 32

export const manyStreams: Attack = {
  name: 'every alert stream that is allowed, and 20 readers of metrics',
  async start({ url, token }) {
    const ending = new AbortController()
    const request = { headers: { authorization: `Bearer ${token}` }, signal: ending.signal }
    for (let stream = 0; stream < STREAMS; stream += 1)
      fetch(`${url}/api/v1/sse/alertas?todos=true`, request).catch(() => {})
    const readers = repeat(20, () => clientOf(url, token).send('GET', '/api/v1/metrics'))
    return {
      stop: async () => {
        ending.abort()
        await readers.stop()
      },
    }
  },
}
