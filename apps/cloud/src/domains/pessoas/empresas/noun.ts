import type { Generated } from 'kysely'
import { person, setting } from '../../../db/data-register/entry.ts'
import { defineNoun, table } from '../../../nouns/define-noun.ts'

type Bool = 0 | 1

interface EmpresasTable {
  id: Generated<number>
  nome: string
  empresa_pai_id: number | null
  fuso_horario: string
  /** Limits as set; a lower limit of an ancestor takes precedence (domains/pessoas/quotas). */
  limite_cameras: number
  limite_gravadores: Generated<number>
  limite_edges: Generated<number>
  limite_usuarios: Generated<number>
  limite_canais: Generated<number>
  limite_agentes: Generated<number>
  limite_chaves: Generated<number>
  /** Bytes of media with those of the Empresas below; null: no limit. */
  limite_bytes: Generated<number | null>
  /** Host name of the account's own dashboard, lower case, unique; null: none. */
  host: Generated<string | null>
  /** 1, 0: set on this Empresa; null: inherited from the parent. */
  exigir_segundo_fator: Generated<Bool | null>
  /** 1: its vigilantes see no plates of vehicles. */
  esconder_placas_vigilante: Generated<Bool>
  /** 1: the local edge of the installation serves it while it has no edge of its own. */
  usa_edge_local: Generated<Bool>
  /** 1: holds only simulated devices, and is deleted as a whole. */
  demonstracao: Generated<Bool>
  /** Named lists of holidays (contracts, horarios.ts). */
  feriados_json: Generated<string>
  /** Private networks (CIDR) that its canais may reach. */
  redes_permitidas_json: Generated<string>
  /** Server of the external verifier that its administrador accepted (host and port); null: none. */
  vlm_servidor: Generated<string | null>
  /** Calls of the external verifier per month; null: the default of the installation. */
  vlm_chamadas_mes: Generated<number | null>
  /** Its removal is under way: the Empresa is in no scope; null: it is not. */
  removida_em: Generated<number | null>
  criada_em: number
}

/** Customer accounts. */
export const empresas = defineNoun({
  chapter: 'Empresas',
  segments: ['empresas'],
  tables: {
    empresas: table<EmpresasTable>()({
      ...setting('name of the account'),
      ends: [person],
      shortens: 'operador',
      bound: 'Objects: Empresas',
    }),
  },
  withoutEffect: {
    'POST /api/v1/empresas': 'adds an Empresa without data',
    'POST /api/v1/empresas/{empresa_id}/retencao/contagem': 'counts',
  },
})
