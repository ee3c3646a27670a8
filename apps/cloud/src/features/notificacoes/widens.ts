import type { CanalFields } from '../../db/canal-fields.ts'
import { rankOf } from './canal-filter.ts'

const destinationsOf = ({ destino, destinatarios }: CanalFields): string[] =>
  [destino, ...destinatarios].filter((one) => one !== '')

/**
 * Whether a canal may report to others or more than before. Another Agenda counts as more, except in place of none.
 */
export function widens(before: CanalFields, after: CanalFields): boolean {
  const known = new Set(destinationsOf(before))
  return (
    destinationsOf(after).some((destino) => !known.has(destino)) ||
    after.tipo !== before.tipo ||
    after.empresa_id !== before.empresa_id ||
    (after.ativo && !before.ativo) ||
    (after.avisar_quedas && !before.avisar_quedas) ||
    (after.politica === 'avisar' && before.politica === 'aguardar') ||
    admitsMore(before, after)
  )
}

/** Whether the filters let more events pass. */
function admitsMore(before: CanalFields, after: CanalFields): boolean {
  const tipos = new Set(before.tipos_evento)
  const isWithin = after.tipos_evento.length > 0 && after.tipos_evento.every((tipo) => tipos.has(tipo))
  const isLimited = Object.keys(before.agenda).length > 0
  return (
    (before.camera_id !== null && after.camera_id !== before.camera_id) ||
    (tipos.size > 0 && !isWithin) ||
    rankOf(after.gravidade_min) < rankOf(before.gravidade_min) ||
    (before.certeza_min === 'alta' && after.certeza_min === 'baixa') ||
    (isLimited && JSON.stringify(after.agenda) !== JSON.stringify(before.agenda))
  )
}
