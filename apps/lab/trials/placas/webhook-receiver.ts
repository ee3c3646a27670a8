import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

export interface WebhookReceiver {
  readonly url: string
  /** Epoch ms of the first delivery of each event, by its id. */
  readonly arrived: ReadonlyMap<number, number>
  close(): Promise<void>
}

const bodySchema = z.object({ evento: z.object({ id: z.int() }) })

/** A receiver of webhooks on loopback. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const arrived = new Map<number, number>()
  const server = createServer(async (request, response) => {
    const at = Date.now()
    const { evento } = bodySchema.parse(JSON.parse(await text(request)))
    if (!arrived.has(evento.id)) arrived.set(evento.id, at)
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    arrived,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
