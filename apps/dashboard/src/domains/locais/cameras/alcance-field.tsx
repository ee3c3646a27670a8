import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { MAX_ALCANCE } from '@vigia/contracts/alcance'
import { useTranslation } from 'react-i18next'
import { empresasQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { NamesField } from '../../../ui/names-field.tsx'
import type { ApiForm } from '../../../ui/use-api-form.ts'
import { type CampoAlcance, idsOf, usualAlcance } from './alcance-form.ts'

interface AlcanceFieldProps {
  readonly form: ApiForm<CampoAlcance>
  /** Whether the papel is that of an administrador, whose default is wider. */
  readonly administra: boolean
}

/** Where a login, quiosque or chave acts; empty for a login with a single Empresa, which can give no other one. */
export function AlcanceField({ form, administra }: AlcanceFieldProps) {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { data: empresas = [] } = useQuery(empresasQuery(api))
  if (empresas.length < 2) return null
  const field = form.field('alcance')
  const value = field.value || usualAlcance(me, administra)
  const chosen = idsOf(form.values.lista)
  const offered = me.alcance === 'abaixo' ? (['propria', 'abaixo', 'lista'] as const) : (['propria', 'lista'] as const)
  return (
    <>
      <NativeSelect
        label={t('comum.alcance.rotulo')}
        {...field}
        value={value}
        data={offered.map((one) => ({ value: one, label: t(`comum.alcance.${one}`) }))}
      />
      {value === 'lista' && (
        <NamesField
          label={t('comum.alcance.acrescentar')}
          search={t('comum.alcance.procurar')}
          chosenLabel={t('comum.alcance.escolhidas', { count: chosen.length })}
          options={empresas}
          chosen={chosen}
          max={MAX_ALCANCE}
          removeLabel={(nome) => t('comum.alcance.tirar', { nome })}
          onChange={(ids) => form.set('lista', ids.join())}
        />
      )}
    </>
  )
}
