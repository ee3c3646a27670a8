import type { Database } from '../db/open.ts'
import type { PassagemRow, PlacaRow } from '../db/rows.ts'
import { type Autor, auditChange, auditOf } from './audit-change.ts'

/** Writes a change of a list of plates to the audit log. */
export const auditPlaca = auditOf('placa', ({ id, placa, empresa_id, lista, nota, dono, validade }: PlacaRow) => ({
  id,
  nome: placa,
  empresaId: empresa_id,
  campos: {
    placa,
    lista,
    nota,
    dono,
    validade: validade === null ? null : new Date(validade).toISOString(),
    empresa_id,
  },
}))

/** Writes a search for passages of a plate to the audit log. @param empresaId null: of all Empresas in scope */
export const auditPlateSearch = (
  db: Database,
  now: number,
  autor: Autor,
  { placa, empresaId }: { readonly placa: string; readonly empresaId: number | null },
): Promise<void> =>
  auditChange(db, now, autor, {
    acao: 'buscar',
    objeto: 'passagem',
    id: null,
    nome: placa,
    empresaId,
    antes: null,
    depois: null,
  })

/** Writes that a passage has opened, or has tried to open, the gate of its camera. @param resultado Portuguese */
export const auditOpening = (
  tx: Database,
  now: number,
  autor: Autor,
  { id, placa, empresa_id, camera_id, camera_nome, confianca }: PassagemRow,
  resultado: string,
): Promise<void> =>
  auditChange(tx, now, autor, {
    acao: 'abrir_portao',
    objeto: 'passagem',
    id,
    nome: placa,
    empresaId: empresa_id,
    antes: null,
    depois: { camera_id, camera_nome, confianca, resultado },
  })

/** Writes a person's correction of a reading to the audit log. */
export const auditCorrection = (
  tx: Database,
  now: number,
  autor: Autor,
  antes: PassagemRow,
  depois: PassagemRow,
): Promise<void> =>
  auditChange(tx, now, autor, {
    acao: 'corrigir',
    objeto: 'passagem',
    id: antes.id,
    nome: depois.placa,
    empresaId: antes.empresa_id,
    antes: { placa: antes.placa, situacao: antes.situacao },
    depois: { placa: depois.placa, situacao: depois.situacao },
  })

/** Writes that a person ended the stay that began with a passage to the audit log. */
export const auditExit = (
  tx: Database,
  now: number,
  autor: Autor,
  { id, placa, empresa_id, encerrada_em, encerrada_por }: PassagemRow,
): Promise<void> =>
  auditChange(tx, now, autor, {
    acao: 'alterar',
    objeto: 'passagem',
    id,
    nome: placa,
    empresaId: empresa_id,
    antes: { encerrada_em: null, encerrada_por: null },
    depois: { encerrada_em: encerrada_em === null ? null : new Date(encerrada_em).toISOString(), encerrada_por },
  })

/** Writes an export of the lists of an Empresa to the audit log. @param depois the filter, and how many plates left */
export const auditPlateExport = (
  db: Database,
  now: number,
  autor: Autor,
  empresaId: number,
  depois: { readonly lista: string | null; readonly exportadas: number },
): Promise<void> =>
  auditChange(db, now, autor, {
    acao: 'exportar',
    objeto: 'placa',
    id: null,
    nome: null,
    empresaId,
    antes: null,
    depois,
  })

/** Writes an import of plates to the audit log, as one record without the plates. */
export const auditPlateImport = (
  tx: Database,
  now: number,
  autor: Autor,
  empresaId: number,
  { criadas, alteradas }: { readonly criadas: number; readonly alteradas: number },
): Promise<void> =>
  auditChange(tx, now, autor, {
    acao: 'criar',
    objeto: 'placa',
    id: null,
    nome: null,
    empresaId,
    antes: null,
    depois: { criadas, alteradas },
  })
