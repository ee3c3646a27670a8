import type { RegistroAuditoria } from '@vigia/contracts/auditoria'
import type { Client } from '../clients/client.ts'
import { type Backstage, openBackstage } from '../clouds/backstage.ts'
import { type Account, ADMIN, SENHA, startTestApp, type TestApp } from '../clouds/test-app.ts'
import { LOOPBACK_ALLOWED } from '../records/own-records.ts'

/** Audit records of changes, and secrets that must not appear in them. */
export interface Audited {
  readonly app: TestApp
  readonly backstage: Backstage
  /** Adds an account, whose token must not appear in the log either. */
  readonly own: Account
  /** Sends a change, which must succeed, and returns its answer and its audit records, oldest first. */
  recorded<T = { id: number }>(by: Client, method: string, path: string, body?: unknown): Promise<Recorded<T>>
  /** The newest records of all callers, newest first. */
  newest(limit?: number): Promise<RegistroAuditoria[]>
  /** Registers `text` (default: a new text) as a secret, and returns it. */
  secret(text?: string): string
  /** The secrets that appear in the log, and the number of inspected records. */
  leaks(): Promise<{ readonly found: string[]; readonly records: number }>
  stop(): Promise<void>
}

interface Recorded<T> {
  readonly answer: T
  readonly log: RegistroAuditoria[]
}

export async function startAudited(env: Readonly<Record<string, string>> = {}): Promise<Audited> {
  const app = await startTestApp({ ...LOOPBACK_ALLOWED, ...env })
  const backstage = await openBackstage(app)
  const own = await app.account('Própria')
  const secrets: string[] = [ADMIN.password, SENHA, app.operator.token, own.admin.token]
  const newest = (limit = 1) => app.operator.expect<RegistroAuditoria[]>(200, 'GET', `/api/v1/auditoria?limit=${limit}`)
  return {
    app,
    backstage,
    own,
    stop: async () => {
      await backstage.close()
      await app.stop()
    },
    newest,
    async recorded<T>(by: Client, method: string, path: string, body?: unknown) {
      const before = (await newest())[0]?.id ?? 0
      const { status, body: answer } = await by.send<T>(method, `/api/v1${path}`, body)
      if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
      return { answer, log: (await newest(200)).filter(({ id }) => id > before).reverse() }
    },
    secret(text = `segredo-${secrets.length}-x9k2`) {
      secrets.push(text)
      return text
    },
    async leaks() {
      const { db } = backstage
      const rows = await db.selectFrom('auditoria').selectAll().execute()
      const logins = await db.selectFrom('usuarios').select('senha_hash').execute()
      const edges = await db.selectFrom('edges').select(['codigo_hash', 'codigo_anterior_hash']).execute()
      const cameras = await db.selectFrom('cameras').select('rtsp_url_cifrada').execute()
      const stored = [...logins, ...edges, ...cameras].flatMap((row) =>
        Object.values(row).filter((text) => text !== null),
      )
      const everything = JSON.stringify(rows)
      const found = [...secrets, ...stored, 'whsec_', '$argon2'].filter(
        (text) => text !== '' && everything.includes(text),
      )
      return { found, records: rows.length }
    },
  }
}

/** Action, resource, and its fields before and after the change. */
export const brief = (log: readonly RegistroAuditoria[]) =>
  log.map(({ acao, objeto, objeto_id, antes, depois }) => [acao, objeto, objeto_id, antes, depois])
