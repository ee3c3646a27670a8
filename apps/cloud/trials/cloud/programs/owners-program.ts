import { waitFor } from '@vigia/testing/wait'
import { openDatabase } from '../../../src/db/open.ts'
import { readTask, reportResult } from './report.ts'

/** Waits until running replicas of this number serve all edges. */
interface Task {
  /** `postgres://` URL. */
  readonly banco: string
  readonly replicas: number
}

const { banco, replicas } = readTask<Task>()
const db = await openDatabase(banco, { asIs: true })
const isDivided = async () => {
  const edges = await db.selectFrom('edges').select('dono').where('ativado_em', 'is not', null).execute()
  const running = new Set((await db.selectFrom('replicas').select('id').execute()).map(({ id }) => id))
  const owners = new Set(edges.map(({ dono }) => dono))
  return owners.size === replicas && [...owners].every((dono) => dono !== null && running.has(dono))
}
await waitFor('the replicas to divide the edges', isDivided, { timeoutMs: 240_000 })
await db.destroy()
reportResult(null)
