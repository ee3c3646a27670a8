import { Button, Skeleton, TextInput } from '@mantine/core'
import { IconLock, IconPrinter, IconReportAnalytics } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { lastDays, shiftDay } from '../../../base/tempo/calendar-day.ts'
import { period } from '../../../base/tempo/period.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { CameraFilter } from '../../../domains/locais/cameras/camera-filter.tsx'
import { ownEmpresa } from '../../../session/own-empresa.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHead, Soft } from '../../../ui/page.tsx'
import { fitDays } from './fit-days.ts'
import { relatorioQuery } from './relatorio-query.ts'
import { Tables } from './relatorio-tables.tsx'
import classes from './relatorios.module.css'
import { ReportHead } from './report-head.tsx'
import { Reviews } from './reviews.tsx'
import { Training } from './training.tsx'

/** Report of a period, for administrators. The URL holds period and camera; the print has no navigation. */
export function RelatoriosPage() {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  usePageTitle(t('relatorios.titulo'))
  if (me.papel !== 'administrador') return <Notice icon={<IconLock size={32} />} title={t('relatorios.so')} />
  return <Report />
}

/** Days of the report without a choice. */
const DAYS = 7

function Report() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const search = useSearch({ from: '/painel/relatorios' })
  const { empresa, camera } = search
  const { nome, fuso } = useEmpresa(empresa ?? ownEmpresa(me))
  const now = useNow()
  const recent = lastDays(DAYS, now, fuso)
  const days = { de: search.de ?? recent.de, ate: search.ate ?? recent.ate }
  const { desde, ate } = period(days.de, days.ate, fuso)
  const filtro = { empresa_id: empresa, camera_id: camera, desde: desde ?? '', ate: ate ?? '' }
  const length = Math.round((Date.parse(days.ate) - Date.parse(days.de)) / 86_400_000) + 1
  const earlier = period(shiftDay(days.de, -length), shiftDay(days.de, -1), fuso)
  const antes = { ...filtro, desde: earlier.desde ?? '', ate: earlier.ate ?? '' }
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...relatorioQuery(api, filtro),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHead>
        <h1>{t('relatorios.titulo')}</h1>
        <Button
          className={classes.print}
          variant="default"
          leftSection={<IconPrinter size={18} aria-hidden="true" />}
          onClick={() => window.print()}
        >
          {t('relatorios.imprimir')}
        </Button>
      </PageHead>
      <Filters days={days} />
      {nome !== null && <p className={classes.only}>{t('relatorios.de_empresa', { nome })}</p>}
      {error && !isPlaceholderData && !data ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={320} radius="md" />
      ) : (
        <div aria-busy={isPlaceholderData}>
          {error && <Failure error={error} onRetry={() => void refetch()} />}
          <Soft>{t('relatorios.periodo', { de: shown(days.de), ate: shown(days.ate), fuso: data.fuso_horario })}</Soft>
          {data.total.eventos === 0 && data.quedas.total === 0 ? (
            <Notice
              icon={<IconReportAnalytics size={32} />}
              title={t('relatorios.vazio.titulo')}
              text={t('relatorios.vazio.texto')}
            />
          ) : (
            <>
              <ReportHead relatorio={data} antes={antes} />
              <Tables relatorio={data} filtro={filtro} />
              <Reviews filtro={filtro} />
              <Training filtro={filtro} />
            </>
          )}
        </div>
      )}
    </>
  )
}

/** `2026-01-31` as `31/01/2026`. */
const shown = (day: string): string => day.split('-').toReversed().join('/')

function Filters({ days }: { days: { readonly de: string; readonly ate: string } }) {
  const { t } = useTranslation()
  const now = useSearch({ from: '/painel/relatorios' })
  const { camera } = now
  const navigate = useNavigate({ from: '/relatorios' })
  const choose = (change: Partial<typeof now>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <search className={classes.filters} aria-label={t('relatorios.filtros')}>
      <TextInput
        type="date"
        label={t('relatorios.de')}
        value={days.de}
        onChange={(event) => choose(fitDays({ ...days, de: event.currentTarget.value || days.de }, 'de'))}
      />
      <TextInput
        type="date"
        label={t('relatorios.ate')}
        value={days.ate}
        onChange={(event) => choose(fitDays({ ...days, ate: event.currentTarget.value || days.ate }, 'ate'))}
      />
      <CameraFilter
        label={t('relatorios.camera')}
        all={t('relatorios.todasCameras')}
        camera={camera}
        removed={t('relatorios.cameraRemovida', { id: camera ?? 0 })}
        onChoose={(chosen) => choose({ camera: chosen })}
      />
    </search>
  )
}
