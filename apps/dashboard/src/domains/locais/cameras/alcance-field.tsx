import { CloseButton, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { MAX_ALCANCE } from '@vigia/contracts/alcance'
import { useTranslation } from 'react-i18next'
import { empresasQuery } from '../../../api/queries.ts'
import { useServices } from '../../../session/services.ts'
import { NameSearch } from '../../../ui/name-search.tsx'
import type { ApiForm } from '../../../ui/use-api-form.ts'
import classes from './alcance.module.css'
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
  const setList = (ids: readonly number[]) => form.set('lista', ids.join())
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
        <div>
          <NameSearch
            adds
            label={t('comum.alcance.acrescentar')}
            all={t('comum.alcance.procurar')}
            options={chosen.length < MAX_ALCANCE ? empresas.filter(({ id }) => !chosen.includes(id)) : []}
            value={undefined}
            missing=""
            onChoose={(id) => id !== undefined && setList([...chosen, id])}
          />
          <ul className={classes.chosen} aria-label={t('comum.alcance.escolhidas', { count: chosen.length })}>
            {chosen.map((id) => {
              const nome = empresas.find((one) => one.id === id)?.nome ?? String(id)
              return (
                <li key={id}>
                  <bdi>{nome}</bdi>
                  <CloseButton
                    size="sm"
                    aria-label={t('comum.alcance.tirar', { nome })}
                    onClick={() => setList(chosen.filter((one) => one !== id))}
                  />
                </li>
              )
            })}
          </ul>
        </div>
      )}
    </>
  )
}
