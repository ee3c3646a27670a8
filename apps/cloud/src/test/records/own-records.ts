import { inscricaoPushCreateSchema } from '@vigia/contracts/push'
import { createCsr } from '@vigia/link/pki/csr'
import { createSealKeyPair } from '@vigia/link/sealed'
import { z } from 'zod'
import { fromBase32, stepAt, totpCode } from '../../domains/pessoas/segundo-fator/totp.ts'
import { authorizePage, requestOf } from '../clients/authorize-page.ts'
import { form, send, signIn } from '../clients/client.ts'
import { approve, authorizeAgent, newClient } from '../clients/oauth-flow.ts'
import { startQuiosque } from '../clients/quiosque.ts'
import { turnOn } from '../clients/second-factor.ts'
import type { Backstage } from '../clouds/backstage.ts'
import { type Account, ADMIN, SENHA } from '../clouds/test-app.ts'
import { type ApiDocument, bodyOf } from '../walks/api-document.ts'

/** Creates records of `account` and adapts examples to them, so that requests refer to existing records. */
export interface OwnRecords {
  /**
   * `path` with the id of a new record of the account for each parameter. A noun without a line in `makers` is made by
   * the example of its POST in the API reference.
   */
  path(path: string): Promise<string>
  /** `example` of the API reference, with its ids, hosts and names replaced by those of this account. */
  example<T>(example: T): Promise<T>
}

/**
 * The environment for `example`: cameras, gravadores and browsers at differing loopback addresses. No service listens
 * at those of Twilio and Telegram, so that stored accounts of a walk reach nobody.
 */
export const LOOPBACK_ALLOWED = {
  VIGIA_SONDAGEM_PERMITIR: '127.0.0.0/8',
  VIGIA_WEBHOOK_PERMITIR: '127.0.0.0/8',
  VIGIA_TWILIO_URL: 'http://127.0.0.1:1',
  VIGIA_TELEGRAM_URL: 'http://127.0.0.1:1',
}

const [inscricao] = z.array(inscricaoPushCreateSchema).parse(inscricaoPushCreateSchema.meta()?.examples)

/** Redirect URI of the examples of the API reference. */
const REDIRECT = 'https://exemplo.com.br/volta'

export function ownRecords(backstage: Backstage, { empresaId, admin }: Account): OwnRecords {
  let count = 0
  const unique = () => {
    count += 1
    return count
  }
  // No edge runs, so nothing connects to this address, and no server listens there.
  const host = () => `127.${empresaId % 250}.${Math.floor(unique() / 250)}.${(count % 250) + 1}`
  const endpoint = () => `http://${host()}:1/envio`
  const created = async (path: string, body: object) =>
    (await admin.expect<{ id: number }>(201, 'POST', `/api/v1${path}`, body)).id
  const gravador = () => ({ fabricante: 'intelbras', host: host(), porta: 554, usuario: 'admin', senha: 'segredo-1' })

  /** Path segment before a parameter → function that creates a record for it. */
  const makers: Readonly<Record<string, () => Promise<number | string>>> = {
    cameras: () => created('/cameras', { nome: 'Doca', rtsp_url: `rtsp://${host()}/1` }),
    gravadores: () => created('/gravadores', { ...gravador(), nome: 'DVR' }),
    notificacoes: () => created('/notificacoes', { empresa_id: empresaId }),
    edges: () => created('/edges', { nome: 'Caixa' }),
    usuarios: () =>
      created('/usuarios', {
        username: `login-${empresaId}-${unique()}`,
        senha: 'uma-senha-comprida',
        empresa_id: empresaId,
      }),
    empresas: async () => empresaId,
    'verificador-externo': async () => empresaId,
    // Without settings, so that its test sends nothing.
    remetentes: async () => 'whatsapp',
    autorizacoes: () => authorization(),
    quiosques: async () => {
      const body = { nome: `tela-${unique()}`, papel: 'usuario', empresa_id: empresaId } as const
      return (await startQuiosque(backstage.url, { username, senha: SENHA }, body)).quiosque.id
    },
    convites: () => created('/convites', { papel: 'usuario', empresa_id: empresaId }),
    sessoes: async () => {
      const other = await signIn(backstage.url, username, SENHA)
      const sessions = await other.expect<{ id: number; atual: boolean }[]>(200, 'GET', '/api/v1/me/sessoes')
      return sessions.find(({ atual }) => atual)?.id ?? 0
    },
    placas: () => created('/placas', { placa: `AAA${1_000 + unique()}`, lista: 'permitida', empresa_id: empresaId }),
    passagens: async () => backstage.passagem(await backstage.gateCamera(empresaId)),
    chaves: () => created('/chaves', { nome: `chave-${unique()}`, escopo: 'leitura', empresa_id: empresaId }),
    // A delivery of no canal: the routes of a delivery have tests of their own.
    entregas: async () => 1,
    // No clip has this id: the uploads of edges have tests of their own.
    envios: async () => '0197a000-0000-7000-8000-000000000000',
    events: async () => {
      const id = await backstage.event(await backstage.camera(empresaId))
      await backstage.clip(id)
      return id
    },
    gravacoes: () => backstage.gravacao(empresaId),
    transmissoes: async () => 1,
    // No such address exists: live video has tests of its own.
    hls: async () => 'nenhum',
    imagens: async () => backstage.pictureLink(await backstage.event(await backstage.camera(empresaId))),
    incidentes: async () => backstage.incidenteOf(await backstage.event(await backstage.camera(empresaId))),
    pendencias: () => backstage.stopped(empresaId),
    inscricoes: async () => created('/me/inscricoes', { ...inscricao, endpoint: endpoint() }),
    ajuste: async () => 'invasao',
    crops: async () => backstage.event(await backstage.camera(empresaId)),
  }

  const username = `administrador-${empresaId}`
  const authorization = async (): Promise<number> => {
    await authorizeAgent(backstage, username)
    const given = await admin.expect<{ id: number }[]>(200, 'GET', '/api/v1/autorizacoes')
    return Math.max(...given.map(({ id }) => id))
  }
  const client = () => newClient(backstage, [REDIRECT])
  const askFor = async () => new URLSearchParams(requestOf(await client(), REDIRECT))

  /** An authorization code for the client of the request. */
  async function grant() {
    const query = await askFor()
    const callback = await approve(`${backstage.url}/oauth/authorize?${query}`, username)
    return { client_id: query.get('client_id') ?? '', code: callback.searchParams.get('code') ?? '' }
  }

  /** Ticket of a consent page. */
  const ticket = async () => authorizePage(backstage).ticket(await client(), { username, password: SENHA }, REDIRECT)

  /** Turns the second factor of a login on, in the database. */
  async function loginWithFactor(): Promise<number> {
    const id = Number(await makers.usuarios?.())
    await backstage.db.updateTable('usuarios').set({ segundo_fator_ativo: 1 }).where('id', '=', id).execute()
    return id
  }

  /** Form of the second page of a sign-in. @param first address and form of the first page */
  async function secondPage(first: string, fields: Readonly<Record<string, string>>) {
    const username = `fator-${empresaId}-${unique()}`
    const login = { username, senha: SENHA, papel: 'administrador', empresa_id: empresaId }
    await admin.expect(201, 'POST', '/api/v1/usuarios', login)
    const { segredo } = await turnOn(
      { clock: { now: Date.now, advance: () => {} } },
      await signIn(backstage.url, username, SENHA),
    )
    const page = await send<string>(`${backstage.url}${first}`, {
      ...form({ ...fields, username, password: SENHA }),
      headers: { accept: 'text/html' },
    })
    const hidden = page.body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)
    // The current code was already used to turn the factor on.
    const codigo = totpCode(fromBase32(segredo), stepAt(Date.now()) + 1)
    return { ...Object.fromEntries([...hidden].map(([, name = '', value = '']) => [name, value])), codigo }
  }

  /** Creates a record by the example of the API reference. */
  async function byExample(segment: string, wanted: string): Promise<number> {
    const document = await admin.expect<ApiDocument>(200, 'GET', '/api/v1/openapi.json')
    const endpoint = { method: 'post', path: `/api/v1/${segment}` } as const
    const body = document.paths[endpoint.path]?.post && bodyOf(document, endpoint)
    if (!body) throw new Error(`${wanted}: test/records/own-records.ts needs a function that creates a record`)
    return created(`/${segment}`, await example(body.examples[0] ?? {}))
  }

  async function path(template: string): Promise<string> {
    let result = template
    if (template === '/api/v1/usuarios/{usuario_id}/segundo-fator')
      return template.replace('{usuario_id}', `${await loginWithFactor()}`)
    for (const [whole, segment = '', name] of template.matchAll(/([\w-]+)\/\{(\w+)\}/g)) {
      const make = makers[segment] ?? (() => byExample(segment, `${template}: {${name}}`))
      result = result.replace(whole, `${segment}/${await make()}`)
    }
    return result
  }

  /** Token of an invitation. */
  async function invitation(): Promise<string> {
    const body = { papel: 'usuario', empresa_id: empresaId }
    const { link } = await admin.expect<{ link: string }>(201, 'POST', '/api/v1/convites', body)
    return new URL(link).hash.slice(1)
  }
  const newName = () => ({ username: `convidado-${empresaId}-${unique()}` })

  /** Field → replacement of the example's value. */
  const replacements: Readonly<Record<string, (value: unknown) => Promise<unknown>>> = {
    empresa_id: async () => empresaId,
    camera_id: async () => makers.cameras?.(),
    gravador_id: async () => makers.gravadores?.(),
    ids: async () => [await makers.pendencias?.()],
    endpoint: async () => endpoint(),
    codigo: async () => (await admin.expect<{ codigo: string }>(201, 'POST', '/api/v1/edges', { nome: 'Nova' })).codigo,
    csr: async () => (await createCsr()).csrPem,
    chave_cifra: async () => (await createSealKeyPair()).publicJwk,
    username: async (value) => `${value}-${empresaId}-${unique()}`,
  }

  async function example<T>(value: T): Promise<T> {
    if (Array.isArray(value)) return (await Promise.all(value.map(example))) as T
    if (typeof value === 'string') return value.replaceAll(/192\.168\.\d+\.\d+/g, host) as T
    if (typeof value !== 'object' || value === null) return value
    if ('token' in value) return { ...value, token: await invitation(), ...('username' in value && newName()) }
    // A sign-in, recognized by its password field, uses an existing login.
    if ('password' in value) return { ...value, ...ADMIN, ...('client_id' in value && { client_id: await client() }) }
    if ('code_verifier' in value) return { ...value, ...(await grant()) }
    if ('acao' in value && 'senha' in value) return { ...value, senha: ADMIN.password }
    if ('bilhete' in value && 'codigo' in value) {
      if (!('client_id' in value)) return { ...value, ...(await secondPage('/login', {})) }
      return { ...value, ...(await secondPage('/oauth/authorize', requestOf(await client(), REDIRECT))) }
    }
    if ('bilhete' in value) return { ...value, bilhete: await ticket() }
    const entries = Object.entries(value).map(async ([key, inner]) => {
      const replace = inner === null ? undefined : replacements[key]
      return [key, replace ? await replace(inner) : await example(inner)]
    })
    return Object.fromEntries(await Promise.all(entries))
  }

  return { path, example }
}
