import type { Insertable, Selectable } from 'kysely'
import type { Tables } from './tables.ts'

/** Row types that several features use. */
export type ApagamentoRow = Selectable<Tables['apagamentos']>
export type CameraRow = Selectable<Tables['cameras']>
export type CanalRow = Selectable<Tables['canais_notificacao']>
export type ChaveRow = Selectable<Tables['chaves']>
export type ConviteRow = Selectable<Tables['convites']>
export type GravacaoRow = Selectable<Tables['gravacoes']>
export type EdgeRow = Selectable<Tables['edges']>
export type EmpresaRow = Selectable<Tables['empresas']>
export type EventoRow = Selectable<Tables['eventos']>
export type GravadorRow = Selectable<Tables['gravadores']>
export type PassagemRow = Selectable<Tables['passagens']>
export type PlacaRow = Selectable<Tables['placas']>
export type RemetenteRow = Selectable<Tables['remetentes']>
export type InscricaoRow = Selectable<Tables['inscricoes_push']>
export type ProvaRow = Selectable<Tables['provas']>
export type QuiosqueRow = Selectable<Tables['quiosques']>
export type SessaoRow = Selectable<Tables['sessoes']>
export type UsuarioRow = Selectable<Tables['usuarios']>

/** An event whose id is chosen before its insertion. */
export type NewEvento = Insertable<Tables['eventos']> & { readonly id: number }
