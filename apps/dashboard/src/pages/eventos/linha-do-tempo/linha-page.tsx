import { Button, Skeleton, TextInput } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconTimeline } from '@tabler/icons-react'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import type { LinhaDaCamera } from '@vigia/contracts/linha-do-tempo'
import { lazy, Suspense, useCallback, useId, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dayOf, shiftDay } from '../../../base/tempo/calendar-day.ts'
import { intervalText, intervalWithin } from '../../../base/tempo/interval.ts'
import { period } from '../../../base/tempo/period.ts'
import { useAddressed } from '../../../base/tempo/use-addressed.ts'
import { useNow } from '../../../base/tempo/use-now.ts'
import { CameraFilter } from '../../../domains/locais/cameras/camera-filter.tsx'
import { DayHours, DayZoom } from '../../../domains/video/clipes/day-hours.tsx'
import { ownEmpresa } from '../../../session/own-empresa.ts'
import { useServices } from '../../../session/services.ts'
import { useEmpresa } from '../../../session/use-empresa.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { Failure } from '../../../ui/failure.tsx'
import { lengthOf, type Span } from '../../../ui/hour-view.ts'
import { More } from '../../../ui/more.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PageHead, Soft } from '../../../ui/page.tsx'
import { WindowedList } from '../../../ui/windowed-list.tsx'
import { CameraLine } from './camera-line.tsx'
import classes from './linha.module.css'
import { linhaQuery } from './linha-query.ts'
import { LineLegend, UnwatchedLines } from './unwatched-lines.tsx'

/** First estimate of the height of a line, px. */
const LINE_PX = 62
const keyOf = ({ camera_id }: LinhaDaCamera) => camera_id

/** Incidentes, quedas and times without anybody watching of one day, one line for each camera. */
export function LinhaDoTempoPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa, camera, dia: chosen, assistir } = useSearch({ from: '/painel/linha-do-tempo' })
  usePageTitle(t('linhaDoTempo.titulo'))
  const { fuso } = useEmpresa(empresa ?? ownEmpresa(me))
  const now = useNow()
  const dia = chosen ?? dayOf(now, fuso)
  const { desde, ate } = period(dia, dia, fuso)
  const filtro = { empresa_id: empresa, camera_id: camera, desde: desde ?? '', ate: ate ?? '' }
  const { whole, view, onView, part, onPart, onPlay } = useDayView(filtro, dia)
  const hint = useId()
  const query = useInfiniteQuery({ ...linhaQuery(api, filtro), placeholderData: keepPreviousData })
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage, isPlaceholderData } = query
  const cameras = useMemo(() => data?.pages.flatMap((one) => one.cameras) ?? [], [data])
  const [opened, setOpened] = useState<ReadonlyMap<number, boolean>>(new Map())
  const onOpen = useCallback((id: number, open: boolean) => setOpened((before) => new Map(before).set(id, open)), [])
  return (
    <>
      <PageHead>
        <h1>{t('linhaDoTempo.titulo')}</h1>
        <Filters dia={dia} />
      </PageHead>
      {error && !data ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : !data || isPlaceholderData ? (
        <Skeleton height={320} radius="md" />
      ) : cameras.length === 0 ? (
        <Notice
          icon={<IconTimeline size={32} />}
          title={t('linhaDoTempo.vazio.titulo')}
          text={t('linhaDoTempo.vazio.texto')}
        />
      ) : (
        <>
          <LineLegend />
          <details className={classes.help}>
            <summary>{t('linhaDoTempo.comoUsar')}</summary>
            <Soft id={hint}>{t('linhaDoTempo.ajuda')}</Soft>
          </details>
          <div className={classes.hours}>
            <DayZoom whole={whole} view={view} onView={onView} />
            <DayHours whole={whole} view={view} fuso={fuso} />
          </div>
          <UnwatchedLines pages={data.pages} whole={whole} view={view} fuso={fuso} now={now} />
          <WindowedList label={t('linhaDoTempo.lista')} rows={cameras} keyOf={keyOf} rowPx={LINE_PX}>
            {(line) => (
              <CameraLine
                {...{ line, hint, whole, view, onView, now, onPart, onPlay }}
                span={part?.camera === line.camera_id ? part.span : null}
                open={opened.get(line.camera_id) ?? camera !== undefined}
                onOpen={onOpen}
              />
            )}
          </WindowedList>
          {assistir !== undefined && (
            <Suspense>
              <PlayIncidente lines={cameras} id={assistir} onClose={() => onPlay(undefined)} />
            </Suspense>
          )}
          {hasNextPage && (
            <More
              label={t('linhaDoTempo.mais')}
              loading={isFetchingNextPage}
              error={query.isFetchNextPageError ? error : null}
              onMore={() => void fetchNextPage()}
            />
          )}
        </>
      )}
    </>
  )
}

/** Loaded at the first click, with its player. */
const PlayIncidente = lazy(async () => ({ default: (await import('./play-incidente.tsx')).PlayIncidente }))

/** The chosen part of the day of one camera. */
interface Part {
  readonly camera: number
  readonly span: Span
}

/** The day of the page, the part of it that the zoom shows, and the chosen part; the address holds them. */
function useDayView({ desde, ate }: { readonly desde: string; readonly ate: string }, dia: string) {
  const search = useSearch({ from: '/painel/linha-do-tempo' })
  const { zoom, linha, trecho } = search
  const navigate = useNavigate({ from: '/linha-do-tempo' })
  const go = (change: Partial<typeof search>) =>
    // An address without the day would show another one tomorrow.
    void navigate({ search: (before) => ({ ...before, dia, ...change }), resetScroll: false })
  const whole = useMemo(() => ({ desde: Date.parse(desde), ate: Date.parse(ate) }), [desde, ate])
  const zoomedTo = useMemo(() => intervalWithin(zoom, whole) ?? whole, [zoom, whole])
  const [view, onView] = useAddressed<Span>(zoomedTo, (next) =>
    go({ zoom: lengthOf(next) < lengthOf(whole) ? intervalText(next) : undefined }),
  )
  const chosen = useMemo(() => {
    const span = intervalWithin(trecho, whole)
    return span && linha !== undefined ? { camera: linha, span } : null
  }, [trecho, linha, whole])
  const [part, setPart] = useAddressed<Part | null>(chosen, (next) =>
    go({ linha: next?.camera, trecho: next ? intervalText(next.span) : undefined }),
  )
  const onPart = useCallback((id: number, span: Span | null) => setPart(span && { camera: id, span }), [setPart])
  const latest = useRef(go)
  latest.current = go
  const onPlay = useCallback((assistir: number | undefined) => latest.current({ assistir }), [])
  return { whole, view, onView, part, onPart, onPlay }
}

function Filters({ dia }: { dia: string }) {
  const { t } = useTranslation()
  const now = useSearch({ from: '/painel/linha-do-tempo' })
  const { camera } = now
  const navigate = useNavigate({ from: '/linha-do-tempo' })
  // Another day or camera begins as a whole.
  const choose = (change: Pick<typeof now, 'dia' | 'camera'>) =>
    void navigate({
      search: (before) => ({ empresa: before.empresa, dia: before.dia, camera, ...change }),
      replace: true,
    })
  return (
    <search className={classes.filters} aria-label={t('linhaDoTempo.filtros')}>
      <Button
        variant="default"
        aria-label={t('linhaDoTempo.anterior')}
        onClick={() => choose({ dia: shiftDay(dia, -1) })}
      >
        <IconChevronLeft size={18} aria-hidden="true" />
      </Button>
      <TextInput
        type="date"
        aria-label={t('linhaDoTempo.dia')}
        value={dia}
        onChange={(event) => choose({ dia: event.currentTarget.value || undefined })}
      />
      <Button
        variant="default"
        aria-label={t('linhaDoTempo.seguinte')}
        onClick={() => choose({ dia: shiftDay(dia, 1) })}
      >
        <IconChevronRight size={18} aria-hidden="true" />
      </Button>
      <CameraFilter
        hideLabel
        label={t('linhaDoTempo.camera')}
        all={t('linhaDoTempo.todasCameras')}
        camera={camera}
        removed={t('linhaDoTempo.cameraRemovida', { id: camera ?? 0 })}
        onChoose={(chosen) => choose({ camera: chosen })}
      />
    </search>
  )
}
