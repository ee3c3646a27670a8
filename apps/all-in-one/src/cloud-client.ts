import type { Camera, CameraPatch } from '@vigia/contracts/cameras'
import type { Empresa } from '@vigia/contracts/empresas'
import type { Cadastrar, Gravador, GravadorPatch, ResultadoCadastro } from '@vigia/contracts/gravadores'

/** The calls of the public API that set up the demonstration with the operator's login. */
export interface CloudClient {
  empresas(): Promise<Empresa[]>
  createDemonstration(nome: string): Promise<Empresa>
  cameras(): Promise<Camera[]>
  gravadores(empresaId: number): Promise<Gravador[]>
  cadastrar(body: Cadastrar): Promise<ResultadoCadastro>
  patchCamera(id: number, body: CameraPatch): Promise<unknown>
  patchGravador(id: number, body: GravadorPatch): Promise<unknown>
  logout(): Promise<void>
}

const CALL_MS = 10_000

/** Null: the login was refused (the operator's password has changed). */
export async function signIn(base: string, username: string, password: string): Promise<CloudClient | null> {
  const answer = await fetch(`${base}/api/v1/auth/login`, {
    method: 'POST',
    body: new URLSearchParams({ username, password }),
    signal: AbortSignal.timeout(CALL_MS),
  })
  if (answer.status === 401) return null
  if (!answer.ok) throw new Error(`login: HTTP ${answer.status}`)
  const { access_token: token } = (await answer.json()) as { access_token: string }

  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${base}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(CALL_MS),
    })
    if (response.status >= 400) throw new Error(`${method} ${path}: HTTP ${response.status}`)
    return (response.headers.get('content-type')?.includes('json') ? await response.json() : undefined) as T
  }

  return {
    empresas: () => call('GET', '/empresas'),
    createDemonstration: (nome) => call('POST', '/empresas', { nome, demonstracao: true }),
    cameras: () => call('GET', '/cameras'),
    gravadores: (empresaId) => call('GET', `/gravadores?empresa_id=${empresaId}`),
    cadastrar: (body) => call('POST', '/gravadores/cadastrar', body),
    patchCamera: (id, body) => call('PATCH', `/cameras/${id}`, body),
    patchGravador: (id, body) => call('PATCH', `/gravadores/${id}`, body),
    logout: () => call('GET', '/auth/logout'),
  }
}
