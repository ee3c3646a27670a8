import type { SecretBox } from '../../../adapters/secret-box.ts'
import type { Database } from '../../../db/open.ts'
import { sealedColumns } from '../../../db/sealed-columns.ts'
import { valuesSealedOtherwise } from './store.ts'

export interface CheckedSeals {
  readonly opened: number
  /** Values that no key opens, as `table.column id`. Values that the program makes again do not count. */
  readonly unopened: readonly string[]
}

const PAGE = 500
/** No value begins with it, so that all are read. */
const NO_PREFIX = ' '

/** Opens every stored secret. */
export async function checkSeals(db: Database, box: SecretBox): Promise<CheckedSeals> {
  const unopened: string[] = []
  let opened = 0
  for (const column of sealedColumns.filter(({ remade }) => !remade))
    for (let after = 0; ; ) {
      const page = await valuesSealedOtherwise(db, column, NO_PREFIX, after, PAGE)
      for (const { id, dono, valor } of page) {
        if (opens(box, valor, column.purpose(dono))) opened += 1
        else unopened.push(`${column.tabela}.${column.coluna} ${id}`)
        after = id
      }
      if (page.length < PAGE) break
    }
  return { opened, unopened }
}

function opens(box: SecretBox, sealed: string, purpose: string): boolean {
  try {
    box.open(sealed, purpose)
    return true
  } catch {
    return false
  }
}
