import type { z } from 'zod'
import type { Caller } from './caller.ts'

/**
 * Who may call a route. `publico`: anybody; `sessao`: any login; `escrita`: the account administrator (a `usuario` gets
 * 403). Which Empresas an administrator may touch is the use case's first line.
 */
export type Acesso = 'publico' | 'sessao' | 'escrita'

/** An answer that is not JSON: the handler returns a whole `Response` of this media type. */
interface Midia {
  readonly midia: string
}

/** Schema of a JSON body, null for an answer without a body, or another media type. */
export type Resposta = z.ZodType | Midia | null
export type Respostas = Readonly<Record<number, Resposta>>

/** What a handler may return: one of the declared statuses with the body declared for it. */
export type Answer<R extends Respostas> = {
  [S in keyof R & number]: R[S] extends Midia
    ? Response
    : R[S] extends z.ZodType<infer Body>
      ? { readonly status: S; readonly body: Body; readonly headers?: Readonly<Record<string, string>> }
      : { readonly status: S; readonly headers?: Readonly<Record<string, string>> }
}[keyof R & number]

/** Answer<R>, with the statuses spelled out: while R is still being inferred, they keep a literal `200` from widening. */
type Answered<R extends Respostas> = Answer<R> & (Response | { readonly status: 200 | 201 | 204 | 303 | 503 })

type Parsed<S> = S extends z.ZodType<infer T> ? T : undefined

/** What a handler is given: everything already checked, nothing of the HTTP library. */
interface RouteInput<A extends Acesso, P, Q, J, F> {
  readonly caller: A extends 'publico' ? null : Caller
  readonly params: Parsed<P>
  readonly query: Parsed<Q>
  readonly json: Parsed<J>
  readonly form: Parsed<F>
  readonly request: RequestInfo
}

export interface RequestInfo {
  readonly id: string
  readonly method: string
  /** Names in lower case. */
  header(name: string): string | undefined
  /** Aborts when the client has gone away or the server stops. */
  readonly signal: AbortSignal
  /** Address of the client, as far as it can be trusted (VIGIA_PROXY_CONFIAVEL). */
  readonly remoteAddress: string
  readonly https: boolean
  /** The session token that authenticated this request; null on public routes. */
  readonly token: string | null
}

interface RouteSpec<A extends Acesso, P, Q, J, F, R extends Respostas> {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** Parameters as `{camera_id}`. */
  readonly path: `/${string}`
  readonly acesso: A
  /** One Portuguese line for the API reference. */
  readonly resumo: string
  /** Field schemas take strings (contracts, values.ts: `idTexto`, `inteiroTexto`). */
  readonly params?: P
  readonly query?: Q
  /** JSON body. A route has `json` or `form`, not both. */
  readonly json?: J
  /** URL-encoded or multipart body. */
  readonly form?: F
  readonly respostas: R
  /** Largest body in bytes; 1 MiB unless said. */
  readonly limiteBytes?: number
  /** Also take the session token from the query parameter `token` (clients that cannot set headers). */
  readonly tokenNaQuery?: true
  /** A browser that comes here without a session is sent to /login in place of a 401. */
  readonly navegacao?: true
  readonly handler: (input: RouteInput<A, P, Q, J, F>) => Promise<Answered<R>> | Answered<R>
}

/** A route with its types closed over: what `routes(deps): Route[]` returns and new-app mounts. */
export interface Route extends Omit<RouteSpec<Acesso, unknown, unknown, unknown, unknown, Respostas>, 'handler'> {
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly json?: z.ZodType
  readonly form?: z.ZodType
  readonly handler: (input: RawInput) => Promise<RawAnswer>
}

/** RouteInput before its types are known to the mount. */
interface RawInput {
  readonly caller: Caller | null
  readonly params: unknown
  readonly query: unknown
  readonly json: unknown
  readonly form: unknown
  readonly request: RequestInfo
}

export type RawAnswer =
  | Response
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

/**
 * Declares a route. The compiler checks the handler's input against the schemas and each answer's status and body against
 * `respostas`; a route without `acesso` does not compile (and does not start, see new-app).
 */
export function defineRoute<
  A extends Acesso,
  R extends Respostas,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  J extends z.ZodType | undefined = undefined,
  F extends z.ZodType | undefined = undefined,
>(spec: RouteSpec<A, P, Q, J, F, R>): Route {
  // The one place where the types are let go: new-app parses with these very schemas before it calls the handler.
  return spec as unknown as Route
}
