import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../../../api/queries.ts'
import { lastDays } from '../../../base/tempo/calendar-day.ts'
import type { Fuso } from '../../../base/tempo/format-time.ts'
import { period } from '../../../base/tempo/period.ts'
import { useServices } from '../../../session/services.ts'
import { Choices } from '../../../ui/fields.tsx'
import type { ApiForm } from '../../../ui/use-api-form.ts'

/** Fields of a period, as text; `cameras`: ids with commas. */
export type CampoPeriodo = 'de' | 'ate' | 'quais' | 'cameras'
export type ProblemaPeriodo = 'semDia' | 'semCamera'
type Values = Readonly<Record<CampoPeriodo, string>>

/** The period of today. */
export const initialPeriod = (fuso: Fuso): Record<CampoPeriodo, string> => ({
  ...lastDays(1, Date.now(), fuso),
  quais: 'todas',
  cameras: '',
})

export function checkPeriod({ de, ate, quais, cameras }: Values): Partial<Record<CampoPeriodo, ProblemaPeriodo>> {
  return {
    ...(de === '' && { de: 'semDia' as const }),
    ...(ate === '' && { ate: 'semDia' as const }),
    ...(quais === 'so' && cameras === '' && { cameras: 'semCamera' as const }),
  }
}

/** The days as instants that have passed, and the cameras; null: all. */
export function periodOf({ de, ate, quais, cameras }: Values, fuso: Fuso) {
  const { desde, ate: fim } = period(de, ate, fuso)
  const now = new Date().toISOString()
  return {
    inicio: desde ?? now,
    fim: fim === null || fim > now ? now : fim,
    cameras: quais === 'so' ? cameras.split(',').map(Number) : null,
  }
}

/** Query of a period, without its question mark. */
export const periodSearch = ({ inicio, fim, cameras }: ReturnType<typeof periodOf>): string =>
  new URLSearchParams({ inicio, fim, ...(cameras && { cameras: cameras.join(',') }) }).toString()

/** Days and cameras of one Empresa. */
export function PeriodFields({ form, empresa }: { readonly form: ApiForm<CampoPeriodo>; readonly empresa: number }) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { data = [] } = useQuery(camerasQuery(api, empresa))
  const cameras = data.filter(({ empresa_id }) => empresa_id === empresa)
  const { error } = form.field('cameras')
  const chosen = form.values.cameras
  return (
    <>
      <TextInput type="date" label={t('retencao.periodo.de')} data-autofocus {...form.field('de')} />
      <TextInput type="date" label={t('retencao.periodo.ate')} {...form.field('ate')} />
      <NativeSelect
        label={t('retencao.periodo.quais')}
        data={(['todas', 'so'] as const).map((value) => ({ value, label: t(`retencao.periodo.opcoes.${value}`) }))}
        {...form.field('quais')}
      />
      {form.values.quais === 'so' && (
        <Checkbox.Group
          label={t('retencao.periodo.cameras')}
          value={chosen === '' ? [] : chosen.split(',')}
          onChange={(ids) => form.set('cameras', ids.join(','))}
          error={error}
        >
          <Choices>
            {cameras.map(({ id, nome }) => (
              <Checkbox key={id} value={String(id)} label={nome} aria-invalid={error !== undefined || undefined} />
            ))}
          </Choices>
        </Checkbox.Group>
      )}
    </>
  )
}
