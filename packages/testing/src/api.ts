import type { Evento } from '@vigia/contracts/eventos'
/** A REST client with a session. */
export interface Api {
  readonly base: string
  readonly token: string
  /** Sends JSON, expects `status` (default: any 2xx) and returns the parsed body. */
  call<T = unknown>(method: string, path: string, body?: unknown, status?: number): Promise<T>
  get<T = unknown>(path: string): Promise<T>
  /** Returns the raw response, for pictures and headers. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

export async function signIn(base: string, username: string, password: string): Promise<Api> {
  const answer = await fetch(`${base}/api/v1/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ username, password }),
  })
  if (!answer.ok) throw new Error(`login: HTTP ${answer.status} ${await answer.text()}`)
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const raw = (path: string, init: RequestInit = {}) =>
    fetch(`${base}/api/v1${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })

  const call: Api['call'] = async <T>(method: string, path: string, body?: unknown, status?: number): Promise<T> => {
    const init: RequestInit = { method }
    if (body !== undefined) {
      init.body = JSON.stringify(body)
      init.headers = { 'content-type': 'application/json' }
    }
    const response = await raw(path, init)
    const text = await response.text()
    const expected = status === undefined ? response.ok : response.status === status
    if (!expected) throw new Error(`${method} ${path}: HTTP ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
  return { base, token, call, get: (path) => call('GET', path), fetch: raw }
}

/** Events of one page (docs/interface.md: at most 200). */
const EVENTS_PAGE = 200

/** All events of the caller, page by page. */
export async function listEventos(api: Api): Promise<Evento[]> {
  const all: Evento[] = []
  for (;;) {
    const page = await api.get<Evento[]>(`/events?limit=${EVENTS_PAGE}&offset=${all.length}`)
    all.push(...page)
    if (page.length < EVENTS_PAGE) return all
  }
}
