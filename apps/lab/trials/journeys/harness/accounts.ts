import { type Api, signIn } from '@vigia/testing/api'
import { HOSTILE } from './hostile.ts'
import { type Account, type Login, PASSWORD } from './journey.ts'

let count = 0

/** Returns `text` with a number that no other caller of this process gets. */
export function unique(text: string): string {
  count += 1
  return `${text} ${count}`
}

export async function createLogin(operator: Api, empresaId: number, papel: string): Promise<Login> {
  const username = unique('ana').replace(' ', '-')
  await operator.call('POST', '/usuarios', { username, senha: PASSWORD, papel, empresa_id: empresaId })
  return { username, api: await signIn(operator.base, username, PASSWORD) }
}

/** Creates an Empresa with a hostile name and an `administrador`. */
export async function createAccount(operator: Api): Promise<Account> {
  const nome = `${unique('Empresa')} ${HOSTILE}`
  const { id: empresaId } = await operator.call<{ id: number }>('POST', '/empresas', { nome })
  return { empresaId, nome, admin: await createLogin(operator, empresaId, 'administrador') }
}
