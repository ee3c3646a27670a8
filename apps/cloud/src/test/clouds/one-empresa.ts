import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@vigia/testing/temporary-folder'
import { insertEmpresa } from '../../domains/pessoas/empresas/store.ts'
import { openTestDatabase } from './template.ts'

/** A database with one Empresa of at most 9 cameras. */
export async function openOneEmpresa() {
  const dir = temporaryFolder('vigia-empresa-')
  const db = await openTestDatabase(join(dir, 'vigia.db'))
  const empresa = { nome: 'E', empresa_pai_id: null, limite_cameras: 9, criada_em: 0 }
  const { id: empresaId } = await insertEmpresa(db, { ...empresa, fuso_horario: 'America/Sao_Paulo' })
  return {
    db,
    empresaId,
    async close() {
      await db.destroy()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
