import type { MensagemAlerta } from '@vigia/contracts/alertas'

/** A message of an open stream. `batimento`: a heartbeat. `posicao`: only the id from which the client continues. */
export type Item = MensagemAlerta | { readonly tipo: 'batimento' } | { readonly tipo: 'posicao'; readonly id: number }

/** Wait of a client before its next connection, after the server ended the stream. */
const RECONNECT_MS = 200

type Json = (value: unknown) => string

const texts = new WeakMap<object, string>()

/** The streams of one process share the data of a message. */
function jsonOf(dados: object, json: Json): string {
  const text = texts.get(dados) ?? json(dados)
  texts.set(dados, text)
  return text
}

/** Server-Sent Events (HTML, section 9.2.5). A heartbeat is a comment line. `data` is one line of JSON. */
export async function* asSse(
  items: AsyncGenerator<Item, void, void>,
  json: Json = JSON.stringify,
): AsyncGenerator<string, void, void> {
  yield 'retry: 3000\n: conectado\n\n'
  for await (const item of items) {
    if (item.tipo === 'batimento') yield ': \n\n'
    else if (item.tipo === 'posicao') yield `id: ${item.id}\n\n`
    else {
      const id = item.id === null ? '' : `id: ${item.id}\n`
      yield `${id}event: ${item.tipo}\ndata: ${jsonOf(item.dados, json)}\n\n`
    }
  }
  // The stream ends by itself when the server stops: another replica answers the client at once.
  yield `retry: ${RECONNECT_MS}\n\n`
}

/** One JSON text for each message. It has no heartbeats, because a WebSocket connection sends pings. */
export async function* asMessages(
  items: AsyncGenerator<Item, void, void>,
  json: Json = JSON.stringify,
): AsyncGenerator<string, void, void> {
  for await (const item of items) if (item.tipo !== 'batimento' && item.tipo !== 'posicao') yield json(item)
}
