import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the orders in which a full Empresa loses clips, copies and strips (retencao/espaco/store.ts). */
export const espacoDosClipes: Migration = {
  async up(db) {
    await sql`create index eventos_com_clipe on eventos (empresa_id, gravidade, id)
      where clipe_em is not null`.execute(db)
    await sql`create index clipes_com_copia on clipes (empresa_id, copia_em)
      where copia_sha256 is not null`.execute(db)
    await sql`create index clipes_com_tira on clipes (empresa_id, id)
      where estado <> 'guardado' and tira is not null`.execute(db)
  },
}
