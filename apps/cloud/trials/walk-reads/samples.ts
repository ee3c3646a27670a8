import { signIn } from '../../src/test/clients/client.ts'
import { ADMIN, SENHA } from '../../src/test/clouds/test-app.ts'
import { BUSY_CAMERA } from '../telas/sizes.ts'

/** The Empresa of all cameras (telas/fill-folder.ts). */
const empresa_id = 2

/** A plate that no earlier walk of the folder has listed. */
const plate = () => `AAA${1_000 + (Math.floor(Date.now() / 1_000) % 9_000)}`

/** Sessions of the operator and of an integrator above all cameras, and an id for each path segment. */
export async function samplesOf(url: string) {
  const operator = await signIn(url, ADMIN.username, ADMIN.password)
  const username = `percurso-${Date.now()}`
  const login = { username, senha: SENHA, papel: 'administrador', empresa_id: 1 }
  const { id: usuarios } = await operator.expect<{ id: number }>(201, 'POST', '/api/v1/usuarios', login)
  const admin = await signIn(url, username, SENHA)
  const made = async (path: string, body: object) =>
    (await admin.expect<{ id: number }>(201, 'POST', `/api/v1${path}`, body)).id
  const newest = async (path: string) =>
    (await admin.expect<{ id: number }[]>(200, 'GET', `/api/v1${path}`))[0]?.id ?? 1
  const samples: Readonly<Record<string, number | string>> = {
    usuarios,
    empresas: empresa_id,
    'verificador-externo': empresa_id,
    edges: empresa_id,
    cameras: BUSY_CAMERA,
    events: await newest('/events?limit=1'),
    incidentes: await newest('/incidentes?limit=1'),
    // With the deliveries of the folder (fill-lists-store.ts).
    notificacoes: 1,
    passagens: await newest('/passagens?limit=1'),
    placas: await made('/placas', { placa: plate(), lista: 'permitida', empresa_id }),
    chaves: await made('/chaves', { nome: username, escopo: 'leitura', empresa_id }),
  }
  return { tokens: { integradora: admin.token, operador: operator.token }, samples }
}
