import type { MediaStore } from '../../../../adapters/media-store/interface.ts'
import type { NamingTable } from '../../../../db/named-files.ts'
import type { Database } from '../../../../db/open.ts'
import { compareSums, countLedger, ledgerOf, listNamed } from './count-store.ts'

const TABLES: readonly NamingTable[] = ['eventos', 'passagens', 'clipes', 'evidencias', 'descartados']
const AT_ONCE = 200

/** A count that differs from the files. */
export type ByteFault =
  | { readonly tipo: 'soma'; readonly empresa_id: number; readonly soma: number; readonly contado: number }
  | { readonly tipo: 'arquivo'; readonly caminho: string; readonly contado: number | null; readonly tamanho: number }
  | { readonly tipo: 'sobra'; readonly arquivos: number }

/**
 * Computes the bytes of all Empresas again, from the rows that name files and from the files, and compares. Nothing may
 * be stored or deleted meanwhile.
 */
export async function checkBytes(db: Database, media: Pick<MediaStore, 'size'>): Promise<ByteFault[]> {
  const faults: ByteFault[] = []
  const seen = new Set<string>()
  for (const table of TABLES)
    for (let after = 0; ; ) {
      const next = await listNamed(db, table, { after, limit: AT_ONCE })
      if (next === null) break
      const fresh = next.files.filter(({ path }) => !seen.has(path))
      const ledger = await ledgerOf(
        db,
        fresh.map(({ path }) => path),
      )
      for (const { path: caminho } of fresh) {
        const tamanho = await media.size(caminho)
        const contado = ledger.get(caminho) ?? null
        if (contado !== null) seen.add(caminho)
        // A record without its file is a fault of its own (conciliacao).
        if (tamanho !== null && contado !== tamanho) faults.push({ tipo: 'arquivo', caminho, contado, tamanho })
      }
      after = next.last
    }
  const left = (await countLedger(db)) - seen.size
  if (left !== 0) faults.push({ tipo: 'sobra', arquivos: left })
  for (const { empresaId, sum, counted } of await compareSums(db))
    faults.push({ tipo: 'soma', empresa_id: empresaId, soma: sum, contado: counted })
  return faults
}
