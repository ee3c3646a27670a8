import { fixture } from '@vigia/testing/fixture'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openBackstage } from '../test/clouds/backstage.ts'
import { startTestApp } from '../test/clouds/test-app.ts'

const app = fixture(() => startTestApp({ VIGIA_BANCO_COMANDO_S: '1' }))
const backstage = fixture(() => openBackstage(app))
const account = fixture(() => app.account('Loja'))

const period = { inicio: '2026-01-01T00:00:00Z', fim: '2026-06-01T00:00:00Z' }
const query = new URLSearchParams(period)

it.each([
  ['a list with its total', 'passagens', () => ask('/passagens')],
  ['the audit log with its total', 'auditoria', () => ask('/auditoria')],
  ['incidentes with their total', 'incidentes', () => ask('/incidentes')],
  ['the numbers of the dashboard', 'passagens', () => ask('/metrics')],
  ['a report', 'eventos', () => ask('/relatorios?desde=2026-01-01T00:00:00Z&ate=2026-01-31T00:00:00Z')],
  ['the count of an export', 'eventos', () => ask(`${ofEmpresa()}/exportar/contagem?${query}`)],
  ['the count of a deletion', 'eventos', () => ask(`${ofEmpresa()}/apagamentos/contagem?${query}`)],
])('answers %s above the time of a statement with a sentence', async (_name, table, send) => {
  const locked = await backstage.db.transaction().execute(async (tx) => {
    // Another session holds the table, so that the statement waits until its time is over.
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx)
    return await send()
  })
  const body = await locked.json()
  expect([locked.status, body]).toEqual([503, { detail: expect.stringContaining('Escolha um período menor') }])
  expect(locked.headers.get('retry-after')).toBe('5')
})

const ofEmpresa = () => `/empresas/${account.empresaId}`
const ask = (path: string) =>
  fetch(`${app.url}/api/v1${path}`, { headers: { authorization: `Bearer ${account.admin.token}` } })
