import { send } from '../../src/test/clients/client.ts'
import { authorizeAgent } from '../../src/test/clients/oauth-flow.ts'
import { type Account, SENHA } from '../../src/test/clouds/test-app.ts'
import type { FuzzTarget } from './target.ts'

export const callerNames = [
  'operador',
  'administrador',
  'usuario',
  'outra empresa',
  'agente',
  'chave',
  'ninguém',
] as const
export type CallerName = (typeof callerNames)[number]

/** Credentials of every kind of caller, renewed after a request ended them. */
export interface Callers {
  /** A valid credential; null: the caller sends none. */
  credential(name: CallerName): Promise<string | null>
  /** A separate session, for a request that ends it. */
  freshSession(name: CallerName): Promise<string | null>
  /** Deletes the created operators. */
  leave(): Promise<void>
}

export function createCallers(app: FuzzTarget, conta: Account, outra: Account): Callers {
  const held = new Map<CallerName, string>()
  let logins = 0
  const operators: number[] = []

  /** A login of that role, which no other request refers to. */
  async function newSession(papel: 'administrador' | 'usuario', empresaId: number | null): Promise<string> {
    logins += 1
    const username = `caller-${conta.empresaId}-${empresaId ?? 'operador'}-${logins}`
    const login = { username, senha: SENHA, papel, empresa_id: empresaId }
    const { id } = await app.operator.expect<{ id: number }>(201, 'POST', '/api/v1/usuarios', login)
    if (empresaId === null) operators.push(id)
    return (await app.signIn(username, SENHA)).token
  }
  const make: Record<CallerName, () => Promise<string | null>> = {
    operador: () => newSession('administrador', null),
    administrador: () => newSession('administrador', conta.empresaId),
    usuario: () => newSession('usuario', conta.empresaId),
    'outra empresa': () => newSession('administrador', outra.empresaId),
    agente: () => authorizeAgent(app, `administrador-${conta.empresaId}`),
    chave: async () => {
      logins += 1
      const body = { nome: `fuzz-${logins}`, escopo: 'escrita', empresa_id: conta.empresaId }
      return (await app.operator.expect<{ chave: string }>(201, 'POST', '/api/v1/chaves', body)).chave
    },
    ninguém: async () => null,
  }
  const works = async (name: CallerName, token: string): Promise<boolean> => {
    const path = name === 'agente' ? '/mcp' : '/api/v1/cameras-count'
    const { status } = await send(`${app.url}${path}`, { headers: { authorization: `Bearer ${token}` } })
    return status !== 401
  }
  return {
    async credential(name) {
      const known = held.get(name)
      if (known !== undefined && (await works(name, known))) return known
      const made = await make[name]()
      if (made !== null) held.set(name, made)
      return made
    },
    freshSession: (name) => make[name](),
    leave: async () => {
      for (const id of operators) await app.operator.send('DELETE', `/api/v1/usuarios/${id}`)
    },
  }
}
