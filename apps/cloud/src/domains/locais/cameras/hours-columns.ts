import type { Agenda } from '@vigia/contracts/agenda'
import { agendaOf, type Horarios, horarioOf } from '@vigia/contracts/horarios'
import { nomesIas } from '@vigia/contracts/ias'
import { horariosOf } from '../../../db/camera-fields.ts'
import type { CameraChanges } from '../../../db/cameras.ts'
import type { CameraRow } from '../../../db/rows.ts'

interface HoursChange {
  readonly agenda?: Agenda | null | undefined
  readonly horarios?: Horarios
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/**
 * The columns of the armed hours (`horariosOf`). An entry of `agenda` replaces the windows of its IA. An entry
 * that repeats the answered window changes nothing: a client that knows only `agenda` sends all entries back.
 */
export function hoursColumns(
  row: Pick<CameraRow, 'agenda_json' | 'horarios_json'>,
  { agenda, horarios }: HoursChange,
): CameraChanges {
  if (horarios === undefined && agenda === undefined) return {}
  const before = horariosOf(row)
  const answered = JSON.parse(row.agenda_json) as Agenda
  const wanted = horarios ?? { ...before, ...windowsAfter(before, answered, agenda ?? {}) }
  const single: Agenda = {}
  const more: Horarios = {}
  for (const nome of nomesIas) {
    const janelas = wanted[nome]
    if (!janelas) continue
    const only = agendaOf(janelas)
    single[nome] = only
    if (!same(janelas, [horarioOf(only)])) more[nome] = janelas
  }
  return {
    agenda_json: horarios === undefined ? JSON.stringify(agenda ?? {}) : JSON.stringify(single),
    horarios_json: JSON.stringify({ ...more, ...(wanted.feriados && { feriados: wanted.feriados }) }),
  }
}

const windowsAfter = (before: Horarios, answered: Agenda, agenda: Agenda): Horarios =>
  Object.fromEntries(
    nomesIas.map((nome) => {
      const janela = agenda[nome]
      if (!janela) return [nome, undefined]
      return [nome, same(janela, answered[nome]) ? before[nome] : [horarioOf(janela)]]
    }),
  )
