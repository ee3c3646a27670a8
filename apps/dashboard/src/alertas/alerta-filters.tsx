import { NativeSelect, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../api/queries.ts'
import { useServices } from '../services.ts'
import classes from './alerta-filters.module.css'
import type { FiltroVeredito } from './alerta-list.ts'

const opcoes = ['confirmado', 'pendente', 'refutado'] as const satisfies readonly FiltroVeredito[]

/** Filters by camera and verdict. The URL holds them, so that a filtered list can be bookmarked and "back" works. */
export function AlertaFilters() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { empresa, camera, veredito, refutados } = useSearch({ from: '/painel/' })
  const { data: cameras = [] } = useQuery(camerasQuery(api, empresa ?? null))
  const navigate = useNavigate({ from: '/' })
  const choose = (change: {
    camera?: number | undefined
    veredito?: FiltroVeredito | undefined
    refutados?: true | undefined
  }) => void navigate({ search: (now) => ({ ...now, ...change }), replace: true })

  const known = camera === undefined || cameras.some(({ id }) => id === camera)
  return (
    <search className={classes.filters} aria-label={t('alertas.filtros')}>
      <NativeSelect
        aria-label={t('alertas.camera')}
        value={camera ?? ''}
        onChange={(event) => choose({ camera: Number(event.currentTarget.value) || undefined })}
        data={[
          { value: '', label: t('alertas.todasCameras') },
          ...cameras.map(({ id, nome }) => ({ value: String(id), label: nome })),
          // The filter may name a removed camera: its alerts still exist.
          ...(known ? [] : [{ value: String(camera), label: t('alertas.cameraRemovida', { id: camera }) }]),
        ]}
      />
      <NativeSelect
        aria-label={t('alertas.veredito')}
        value={veredito ?? ''}
        onChange={(event) => choose({ veredito: opcoes.find((one) => one === event.currentTarget.value) })}
        data={[
          { value: '', label: t('alertas.todosVereditos') },
          ...opcoes.map((value) => ({ value, label: t(`alertas.filtroSituacao.${value}`) })),
        ]}
      />
      <Switch
        className={classes.switch}
        label={t('alertas.refutados')}
        checked={veredito === 'refutado' || (refutados ?? false)}
        disabled={veredito !== undefined}
        onChange={(event) => choose({ refutados: event.currentTarget.checked || undefined })}
      />
    </search>
  )
}
