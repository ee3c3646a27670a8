import { AsyncLocalStorage } from 'node:async_hooks'
import type { CanalAuditoria } from '@vigia/contracts/auditoria'

type Count = () => Promise<void>

const requests = new AsyncLocalStorage<Count>()

/** Runs a request. Each audit record that it leaves calls `count`, which may refuse the change. */
export const countingRecords = <T>(count: Count, run: () => Promise<T>): Promise<T> => requests.run(count, run)

/** Runs the record of a viewing, which `auditOnce` bounds. A full rate must not hide a camera from its guards. */
export const uncounted = <T>(run: () => Promise<T>): Promise<T> => requests.exit(run)

/**
 * Counts a record of the current request. Work of the program that a request began has no rate, and an edge changes no
 * setting.
 * @throws VigiaError `muitas_requisicoes`
 */
export async function countRecord(canal: CanalAuditoria): Promise<void> {
  if (canal !== 'sistema' && canal !== 'edge') await requests.getStore()?.()
}
