import type { Evento } from '@vigia/contracts/eventos'
import { type Gravidade, gravidades } from '@vigia/contracts/ias'
import type { CanalFields } from '../../../db/canal-fields.ts'

export const rankOf = (gravidade: Gravidade): number => gravidades.indexOf(gravidade)

/** Whether the canal reports such an event. Its Agenda is checked apart. */
export const passesFilters = (
  { ativo, camera_ids, tipos_evento, gravidade_min, certeza_min }: CanalFields,
  evento: Pick<Evento, 'camera_id' | 'tipo' | 'gravidade' | 'veredito'>,
): boolean =>
  ativo &&
  (camera_ids.length === 0 || camera_ids.includes(evento.camera_id)) &&
  (tipos_evento.length === 0 || tipos_evento.includes(evento.tipo)) &&
  rankOf(evento.gravidade) >= rankOf(gravidade_min) &&
  (certeza_min === 'baixa' || isCertain(evento))

/** A verdict of an earlier version states no `certeza`, and counts as certain. */
const isCertain = ({ veredito }: Pick<Evento, 'veredito'>): boolean => veredito !== null && veredito.certeza !== 'baixa'
