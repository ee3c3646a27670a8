import type { TFunction } from 'i18next'
import { type Fuso, formatFull } from '../../../base/tempo/format-time.ts'
import { formatNumber } from '../../../texts/locale.ts'

/** Returns a value of a record as text for the screen; values without another form are shown as JSON. */
export function fieldValue(t: TFunction<'pagina'>, value: unknown, fuso: Fuso): string {
  if (value === null || value === undefined || value === '') return t('auditoria.vazioValor')
  if (typeof value === 'boolean') return t(value ? 'auditoria.sim' : 'auditoria.nao')
  if (typeof value === 'number') return formatNumber(value, { useGrouping: false, maximumFractionDigits: 12 })
  if (typeof value === 'string') return isInstant(value) ? formatFull(value, fuso) : value
  if (Array.isArray(value) && value.every((one) => typeof one === 'string' || typeof one === 'number'))
    return value.length === 0 ? t('auditoria.vazioValor') : value.join(', ')
  return JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ')
}

const isInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && !Number.isNaN(Date.parse(text))
