import { type Papel, papeis } from '@vigia/contracts/usuarios'
import type { z } from 'zod'
import type { Caller } from './caller.ts'
import type { Declared } from './effects.ts'
import type { ErrorStatus } from './errors.ts'
import type { OauthErrors } from './oauth-errors.ts'
import type { AnswerHeader } from './openapi-headers.ts'
import type { Feed } from './push-messages.ts'
import type { Intake } from './receive-messages.ts'
import type { RowStream } from './row-stream.ts'
import { strictBody } from './strict-body.ts'

/** Roles that may call a route with this access rule; `publico` needs no login. */
const roles = {
  publico: papeis,
  sessao: papeis,
  /** Work on alarms. */
  trabalho: ['administrador', 'vigilante'],
  escrita: ['administrador'],
  /** An upload of an edge, with the credential of that upload; no login. */
  edge: [],
} as const satisfies Record<string, readonly Papel[]>

/** One order of the cloud to one edge: an upload, or a stream in one epoch (edges/edge-credentials.ts). */
export interface EdgeCredential {
  readonly edgeId: number
  readonly finalidade: 'clipe' | 'transmissao'
  /** UUID of the clip, or camera, stream and epoch. */
  readonly alvo: string
  /** Its upload has ended: it only asks whether the last bytes arrived, whose answer may be lost. */
  readonly isSpent?: true
}

/** Access rule of a route. The use case checks the scope of the Empresa in its first line. */
export type Acesso = keyof typeof roles

export const roleMayCall = (acesso: Acesso, papel: Papel): boolean => roles[acesso].some((one) => one === papel)
export const isAcesso = (value: string): value is Acesso => Object.hasOwn(roles, value)

/** An answer that is not JSON: a `Response` of this media type (a star for each half: several types). */
interface Midia {
  readonly midia: string
}

/** Status 101: WebSocket messages, each one JSON of this schema. The handler returns the source of the messages. */
interface Mensagens {
  readonly mensagens: z.ZodType
  /** Bytes follow some of the messages. */
  readonly binario?: true
}

/** Status 101: WebSocket messages of the client. The handler returns their receiver. */
interface Recebe {
  readonly recebe: string
}

/** Schema of a JSON body, another media type, or a WebSocket; null: no body. */
export type Resposta = z.ZodType | Midia | Mensagens | Recebe | null
export type Respostas = Readonly<Record<number, Resposta>>

/** Result of a handler: one of the declared statuses with its declared body. */
export type Answer<R extends Respostas> = {
  [S in keyof R & number]: R[S] extends Midia
    ? Response
    : R[S] extends Mensagens
      ? { readonly status: S; readonly feed: Feed }
      : R[S] extends Recebe
        ? { readonly status: S; readonly intake: Intake }
        : R[S] extends z.ZodType<infer Body>
          ?
              | { readonly status: S; readonly body: Body; readonly headers?: Readonly<Record<string, string>> }
              | Rows<S, Body>
          : { readonly status: S; readonly headers?: Readonly<Record<string, string>> }
}[keyof R & number]

/** A whole list in chunks, in place of a body. */
type Rows<S, Body> = Body extends readonly (infer Item)[]
  ? { readonly status: S; readonly rows: RowStream<Item> }
  : never

/** Answer<R> with explicit statuses, which keep a literal `200` from widening while R is inferred. */
type Answered<R extends Respostas> = Answer<R> &
  (Response | { readonly status: 101 | 200 | 201 | 202 | 204 | 303 | 400 | 401 | 503 })

type Parsed<S> = S extends z.ZodType<infer T> ? T : undefined

/** Input of a handler: validated, and independent of the HTTP library. */
interface RouteInput<A extends Acesso, P, Q, J, F> {
  readonly caller: A extends 'publico' | 'edge' ? null : Caller
  readonly credential: A extends 'edge' ? EdgeCredential : null
  readonly params: Parsed<P>
  readonly query: Parsed<Q>
  readonly json: Parsed<J>
  readonly form: Parsed<F>
  readonly request: RequestInfo
}

/** @param done in the unit of `total`; @param mensagem Portuguese text about the finished step */
type Progress = (done: number, total: number, mensagem: string) => void

export interface RequestInfo {
  readonly id: string
  readonly method: string
  /**
   * The raw request, for a handler of a whole protocol on one path. Its body is unread unless the route declares one.
   */
  readonly raw: Request
  /** Names in lower case. */
  header(name: string): string | undefined
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal
  /** Client address; trusts the proxies of VIGIA_PROXY_CONFIAVEL. */
  readonly remoteAddress: string
  readonly https: boolean
  /** The session token that authenticated this request; null on public routes. */
  readonly token: string | null
  /** Reports the progress of long work; absent: the client did not ask for it. */
  readonly progress?: Progress
  /** Closes the connection during the answer, for a client that has stopped reading. */
  disconnect(): void
}

interface RouteSpec<A extends Acesso, P, Q, J, F, R extends Respostas> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Parameters as `{camera_id}`. */
  readonly path: `/${string}`
  readonly acesso: A
  /** Effect of a call on data, on views of others or on access (effects.ts). There is no default. */
  readonly efeito: Declared
  /** One Portuguese line for the API reference. */
  readonly resumo: string
  /** operationId, a verb and a noun (`listarCameras`). Never changes, because generated clients use it. */
  readonly operacao: string
  /** Details beyond `resumo`, as Portuguese Markdown. */
  readonly descricao?: string
  /** Statuses of errors that the use case throws, unless they follow from the declaration (declared-errors.ts). */
  readonly erros?: readonly ErrorStatus[]
  /** An OAuth endpoint: errors have the form of RFC 6749, and a repeated field is rejected. */
  readonly oauth?: OauthErrors
  /** Answer headers for the client (openapi-headers.ts describes them). */
  readonly cabecalhos?: readonly AnswerHeader[]
  /** Field schemas parse strings (contracts, values.ts: `idTexto`, `inteiroTexto`). */
  readonly params?: P
  readonly query?: Q
  /** JSON body; below /api/v1 an unknown field is rejected. A route has `json` or `form`, not both. */
  readonly json?: J
  /** URL-encoded or multipart body. */
  readonly form?: F
  readonly respostas: R
  /** Largest body in bytes; default 1 MiB. */
  readonly limiteBytes?: number
  /** Also accepts the session token in the query parameter `token`, for clients that cannot set headers. */
  readonly tokenNaQuery?: true
  /** Also accepts a login that must enable its second factor first. */
  readonly semSegundoFator?: true
  /** Without a session, redirects to /login (303) in place of a 401. */
  readonly navegacao?: true
  readonly handler: (input: RouteInput<A, P, Q, J, F>) => Promise<Answered<R>> | Answered<R>
}

/** Whether the answer is a WebSocket, requested by GET with `Upgrade: websocket`. */
export const isWebSocket = (route: Pick<Route, 'respostas'>): boolean => 101 in route.respostas

/** A route without its type parameters, as `routes(deps): Route[]` returns and new-app mounts it. */
export interface Route extends Omit<RouteSpec<Acesso, unknown, unknown, unknown, unknown, Respostas>, 'handler'> {
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly json?: z.ZodType
  readonly form?: z.ZodType
  readonly handler: (input: RawInput) => Promise<RawAnswer>
}

/** RouteInput without its type parameters. */
interface RawInput {
  readonly caller: Caller | null
  readonly credential: EdgeCredential | null
  readonly params: unknown
  readonly query: unknown
  readonly json: unknown
  readonly form: unknown
  readonly request: RequestInfo
}

export type RawAnswer =
  | Response
  | { readonly status: number; readonly feed: Feed }
  | { readonly status: number; readonly intake: Intake }
  | { readonly status: number; readonly rows: RowStream<unknown> }
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

/**
 * Declares a route. The compiler checks the handler's input against the schemas, and each answer
 * against `respostas`. A route without `acesso` or `efeito` does not compile.
 */
export function defineRoute<
  A extends Acesso,
  R extends Respostas,
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  J extends z.ZodType | undefined = undefined,
  F extends z.ZodType | undefined = undefined,
>(spec: RouteSpec<A, P, Q, J, F, R>): Route {
  // The cast is safe, because mountRoute parses the input with the same schemas before it calls the handler.
  const route = spec as unknown as Route
  return route.json && route.path.startsWith('/api/v1/') ? { ...route, json: strictBody(route.json) } : route
}
