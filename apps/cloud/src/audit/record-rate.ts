import { AsyncLocalStorage } from 'node:async_hooks'
import type { CanalAuditoria } from '@vigia/contracts/auditoria'

type Count = () => Promise<void>

const requests = new AsyncLocalStorage<Count>()

/** Runs a request. Each audit record that it leaves calls `count`, which may refuse the change. */
export const countingRecords = <T>(count: Count, run: () => Promise<T>): Promise<T> => requests.run(count, run)

/**
 * Writes a record that does not count. A viewing has the bound of `auditOnce`: a full rate must not hide a camera from
 * its guards. An act of a box counts before it begins.
 */
export const uncounted = <T>(run: () => Promise<T>): Promise<T> => requests.exit(run)

/**
 * Counts a record of the current request. Work of the program that a request began has no rate, and an edge changes no
 * setting.
 * @throws VigiaError `muitas_requisicoes`
 */
export async function countRecord(canal: CanalAuditoria): Promise<void> {
  if (canal !== 'sistema' && canal !== 'edge') await requests.getStore()?.()
}
