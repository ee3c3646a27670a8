import { openDatabase } from '../../../src/db/open.ts'
import { readTask, reportResult } from './report.ts'

/** Counts what an ingest has left in a database that the cloud may still use. */
interface Task {
  /** `postgres://` URL. */
  readonly banco: string
}

const { banco } = readTask<Task>()
const db = await openDatabase(banco, { asIs: true })
const rows = await db.selectFrom('eventos').select(['uuid', 'camera_id', 'seq']).execute()
const lines = await db.selectFrom('alertas').select('evento_id').where('tipo', '=', 'evento').execute()
const gaps = await db.selectFrom('lacunas').select('id').execute()
await db.destroy()
reportResult({
  uuids: rows.map(({ uuid }) => uuid),
  numeros: new Set(rows.map(({ camera_id, seq }) => `${camera_id} ${seq}`)).size,
  linhas: lines.length,
  eventosComLinha: new Set(lines.map(({ evento_id }) => evento_id)).size,
  lacunas: gaps.length,
})
