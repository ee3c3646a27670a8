import type { Evento, MudancaCamera } from '@vigia/contracts/eventos'
import { EventSource } from 'eventsource'
import type { Api } from './api.ts'
import { waitFor } from './wait.ts'

/** A client of `GET /api/v1/sse/alertas` that reconnects like a browser and stores all messages. */
export interface AlertStream {
  readonly alertas: readonly Evento[]
  readonly eventos: readonly Evento[]
  readonly cameras: readonly MudancaCamera[]
  /** Resolves with the first matching alert, including alerts from before the call. */
  nextAlert(what: string, fits: (evento: Evento) => boolean, timeoutMs?: number): Promise<Evento>
  close(): void
}

/** Each connection calls `freshToken`, because sessions end during the restarts of a test. */
export async function openAlertStream(
  api: Api,
  { todos = false, freshToken = () => api.token }: { todos?: boolean; freshToken?: () => string } = {},
): Promise<AlertStream> {
  const alertas: Evento[] = []
  const eventos: Evento[] = []
  const cameras: MudancaCamera[] = []
  const source = new EventSource(`${api.base}/api/v1/sse/alertas${todos ? '?todos=true' : ''}`, {
    fetch: (url, init) =>
      fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${freshToken()}` } }),
  })
  source.addEventListener('alerta', (message) => alertas.push(JSON.parse(message.data) as Evento))
  source.addEventListener('evento', (message) => eventos.push(JSON.parse(message.data) as Evento))
  source.addEventListener('camera', (message) => cameras.push(JSON.parse(message.data) as MudancaCamera))
  await waitFor('the alert stream to open', () => source.readyState === source.OPEN)
  return {
    alertas,
    eventos,
    cameras,
    nextAlert: (what, fits, timeoutMs = 60_000) => waitFor(what, () => alertas.find(fits), { timeoutMs }),
    close: () => source.close(),
  }
}
