import type { GravadorRow } from '../db/rows.ts'
import { auditOf } from './audit-change.ts'

/** Writes a change of a gravador to the audit log. For its password only the fact of the change is written. */
export const auditGravador = auditOf('gravador', (row: GravadorRow) => ({
  id: row.id,
  nome: row.nome || row.host,
  empresaId: row.empresa_id,
  campos: {
    nome: row.nome,
    edge_id: row.edge_id,
    fabricante: row.fabricante,
    url_template: row.url_template,
    sub_url_template: row.sub_url_template,
    host: row.host,
    porta: row.porta,
    usuario: row.usuario,
    num_canais: row.num_canais,
    porta_rtsp: row.porta_rtsp,
    senha_em_texto: row.senha_em_texto === 1,
    max_conexoes: row.max_conexoes,
  },
}))
