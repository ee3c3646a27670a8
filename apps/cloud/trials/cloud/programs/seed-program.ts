import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadAuthority } from '@vigia/link/pki/authority'
import { createCsr } from '@vigia/link/pki/csr'
import { issueEdgeCertificate } from '@vigia/link/pki/edge-certificate'
import { ensureInstallationPki } from '@vigia/link/pki/installation'
import { createSealKeyPair } from '@vigia/link/sealed'
import { sealSources } from '../../../src/adapters/camera-sources.ts'
import { createSecretBox } from '../../../src/adapters/secret-box.ts'
import { type Database, openDatabase } from '../../../src/db/open.ts'
import { databaseFile } from '../../../src/db/place.ts'
import { transact } from '../../../src/db/transaction.ts'
import { describeCertificate } from '../../../src/domains/locais/edges/edge-certificate.ts'
import { beginSession } from '../../../src/domains/pessoas/sessoes/begin-session.ts'
import { createPasswords } from '../../../src/domains/pessoas/usuarios/passwords.ts'
import { seedOneCamera } from '../../../src/test/records/records.ts'
import { readTask, reportProgress, reportResult } from './report.ts'

/**
 * Fills a new installation with Empresas, signed-in logins and activated edges with one camera each. It writes their
 * tokens and certificates to `frota.json` in the data folder. All edges share one private key, and all logins one
 * password, which only saves time.
 */
interface Task {
  readonly dataDir: string
  /** `postgres://` URL; null: SQLite. */
  readonly banco: string | null
  readonly empresas: number
  readonly loginsPerEmpresa: number
  readonly edgesPerEmpresa: number
  readonly password: string
  /** VIGIA_CHAVE of the installation. */
  readonly key: string
}

const task = readTask<Task>()
const now = Date.now()
const DAY_MS = 86_400_000
await mkdir(join(task.dataDir, 'cloud'), { recursive: true, mode: 0o700 })
await ensureInstallationPki({ dir: task.dataDir, brokerHosts: ['127.0.0.1'] })
const ca = await loadAuthority(task.dataDir)
const { csrPem, privateKeyPem } = await createCsr()
const sealKey = (await createSealKeyPair()).publicJwk
const senha_hash = await createPasswords().hash(task.password)
const box = createSecretBox(Buffer.from(task.key, 'base64'))
const db = await openDatabase(task.banco ?? databaseFile(join(task.dataDir, 'cloud')))

async function seedLogin(tx: Database, empresaId: number, username: string) {
  const login = { username, username_chave: username, senha_hash, papel: 'vigilante', empresa_id: empresaId } as const
  const { id } = await tx
    .insertInto('usuarios')
    .values({ ...login, criado_em: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const origin = { address: '127.0.0.1', host: '127.0.0.1', agente: undefined }
  const token = await beginSession(tx, now, { dono: { usuario_id: id }, origin, renovaAte: now + DAY_MS })
  await tx
    .updateTable('sessoes')
    .set({ expira_em: now + DAY_MS })
    .where('usuario_id', '=', id)
    .execute()
  return { username, token }
}

async function seedEdge(tx: Database, empresaId: number) {
  const edge = { nome: 'Caixa', empresa_id: empresaId, local: 0, codigo_hash: null, codigo_expira_em: null } as const
  const activated = { ativado_em: 1, chave_cifra_json: JSON.stringify(sealKey), visto_em: null, relato_json: null }
  const { id } = await tx
    .insertInto('edges')
    .values({ ...edge, ...activated, criado_em: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const cert = await issueEdgeCertificate({ ca, edgeId: id, csrPem })
  const issued = { edge_id: id, ...describeCertificate(cert), emitido_em: now, revogado_em: null }
  await tx.insertInto('certificados_edge').values(issued).execute()
  const cameraId = await seedOneCamera(tx, empresaId, id, { instrucoes_json: '[]' })
  const sources = sealSources(box, cameraId, { rtsp_url: 'rtsp://192.0.2.1/1', sub_rtsp_url: null })
  await tx.updateTable('cameras').set(sources).where('id', '=', cameraId).execute()
  return { id, cameraId, cert }
}

async function seedEmpresa(nome: string) {
  return transact(db, async (tx) => {
    const empresa = {
      nome,
      empresa_pai_id: null,
      fuso_horario: 'America/Sao_Paulo',
      limite_cameras: 9999,
      criada_em: 1,
    }
    const { id } = await tx.insertInto('empresas').values(empresa).returning('id').executeTakeFirstOrThrow()
    const logins: Awaited<ReturnType<typeof seedLogin>>[] = []
    for (let i = 0; i < task.loginsPerEmpresa; i += 1) logins.push(await seedLogin(tx, id, `vigilante-${id}-${i}`))
    const edges: Awaited<ReturnType<typeof seedEdge>>[] = []
    for (let i = 0; i < task.edgesPerEmpresa; i += 1) edges.push(await seedEdge(tx, id))
    return { id, logins, edges }
  })
}

const empresas: Awaited<ReturnType<typeof seedEmpresa>>[] = []
for (let i = 0; i < task.empresas; i += 1) {
  reportProgress(i / task.empresas, 'Empresas, logins e edges')
  empresas.push(await seedEmpresa(`Empresa ${i + 1}`))
}
await db.destroy()
const frota = { ca: ca.certificatePem, key: privateKeyPem, empresas }
await writeFile(join(task.dataDir, 'frota.json'), JSON.stringify(frota), { mode: 0o600 })
reportResult(null)
