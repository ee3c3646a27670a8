import type { CanalAuditoria } from '@vigia/contracts/auditoria'
import type { ColumnType, Generated } from 'kysely'
import { age, machine, not, owner, stays } from '../../../db/data-register/entry.ts'
import { defineNoun, ofOne, table } from '../../../nouns/define-noun.ts'

/** The audit log. Append-only: triggers refuse updates and deletions. */
interface AuditoriaTable {
  id: Generated<number>
  em: ColumnType<number, number, never>
  /** The Empresa of the record; null: the installation. */
  empresa_id: ColumnType<number | null, number | null, never>
  /** null: no login (an edge, the program itself, a failed sign-in). */
  usuario_id: ColumnType<number | null, number | null, never>
  username: ColumnType<string | null, string | null, never>
  canal: ColumnType<CanalAuditoria, CanalAuditoria, never>
  /** The agent's name and client id. */
  cliente: ColumnType<string | null, string | null, never>
  endereco: ColumnType<string | null, string | null, never>
  /** Request id, as in the log. */
  pedido: ColumnType<string | null, string | null, never>
  acao: ColumnType<string, string, never>
  objeto: ColumnType<string, string, never>
  objeto_id: ColumnType<number | null, number | null, never>
  objeto_nome: ColumnType<string | null, string | null, never>
  /** The fields that changed, secrets masked. */
  antes_json: ColumnType<string | null, string | null, never>
  depois_json: ColumnType<string | null, string | null, never>
}

/** Audit records before `ate` may be deleted; a trigger refuses all others. */
interface AuditoriaVarridaTable {
  empresa_id: number
  ate: number
}

/** Audit log. */
export const auditoria = defineNoun({
  chapter: 'Auditoria',
  segments: ['auditoria'],
  tables: {
    auditoria: table<AuditoriaTable>()({
      personal: 'who changed what, from where; plates that were searched, corrected or listed',
      ends: [age('auditoria')],
      held: false,
      login: 'name stays',
      masks: false,
      readers: 'administrador',
      export: not('it has a page of its own'),
      period: not('no contents of recordings; no change is possible'),
      plate: stays('na auditoria, que não pode ser alterada: saem com o prazo dela.'),
      shortens: 'administrador',
      bound: 'Records: audit log',
    }),
    auditoria_varrida: table<AuditoriaVarridaTable>()({ ...machine(owner('empresas')), bound: ofOne('Empresa') }),
  },
})
