import { type ClientRequest, request } from 'node:http'

/** Clients of `GET /api/v1/sse/alertas` in this process. A connection that ends is a failure: nothing reconnects. */
export interface Listeners {
  /** Connections that ended. */
  readonly ended: number
  close(): void
}

/** @param evento the data of an alert; `at`: time of its arrival in epoch ms */
export type OnAlert = (
  client: number,
  evento: { readonly id: number; readonly verificado_em: number },
  at: number,
) => void

const OPENING = 64

/** Opens a stream for each token and resolves when every stream is open. */
export async function openListeners(
  base: string,
  tokens: readonly string[],
  onAlert: OnAlert,
  onOpen: (open: number) => void,
): Promise<Listeners> {
  const requests: ClientRequest[] = []
  let ended = 0
  let open = 0
  let next = 0
  const lane = async () => {
    for (let client = next++; client < tokens.length; client = next++) {
      await openOne(client)
      onOpen(++open)
    }
  }

  const openOne = (client: number) =>
    new Promise<void>((resolve, reject) => {
      const headers = { authorization: `Bearer ${tokens[client]}` }
      const sent = request(`${base}/api/v1/sse/alertas`, { agent: false, headers }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`alert stream: HTTP ${response.statusCode}`))
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          const at = Date.now()
          resolve()
          const messages = (text + chunk).split('\n\n')
          text = messages.pop() ?? ''
          for (const message of messages) take(client, message, at)
        })
        response.once('close', () => {
          ended += 1
        })
      })
      sent.once('error', reject)
      sent.end()
      requests.push(sent)
    })

  function take(client: number, message: string, at: number): void {
    if (!message.includes('event: alerta\n')) return
    const evento = JSON.parse(message.slice(message.indexOf('data: ') + 6)) as {
      id: number
      veredito: { verificado_em: string }
    }
    onAlert(client, { id: evento.id, verificado_em: Date.parse(evento.veredito.verificado_em) }, at)
  }

  await Promise.all(Array.from({ length: OPENING }, lane))
  return {
    get ended() {
      return ended
    },
    close() {
      for (const sent of requests) sent.destroy()
    },
  }
}
