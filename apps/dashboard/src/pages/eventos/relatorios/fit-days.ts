import { MAX_DIAS_RELATORIO } from '@vigia/contracts/relatorios'
import { shiftDay } from '../../../base/tempo/calendar-day.ts'

interface Days {
  readonly de: string
  readonly ate: string
}

/** Days of a report after one end moved beyond the other, or too far from it. */
const MONTH = 31

/** Keeps the period in order and below its limit: the end that was not changed follows the other one. */
export function fitDays({ de, ate }: Days, changed: keyof Days): Days {
  if (de <= ate && ate < shiftDay(de, MAX_DIAS_RELATORIO)) return { de, ate }
  return changed === 'de' ? { de, ate: shiftDay(de, MONTH - 1) } : { de: shiftDay(ate, 1 - MONTH), ate }
}
