import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import type { Incidente } from '@vigia/contracts/incidentes'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../../../api/queries.ts'
import { useAnswer } from '../../../domains/eventos/incidentes/use-answer.ts'
import { DownNow } from '../../../domains/eventos/quedas/down-now.tsx'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { Failure } from '../../../ui/failure.tsx'
import { toggleFullScreen } from '../../../ui/use-full-screen.ts'
import { useWide } from '../../../ui/use-wide.ts'
import { FilaList } from './fila-list.tsx'
import { FilaNews } from './fila-news.tsx'
import { FilaSkeleton } from './fila-skeleton.tsx'
import { IncidentePanel } from './incidente-panel.tsx'
import { MosaicView } from './mosaic-view.tsx'
import { NoIncidentes } from './no-incidentes.tsx'
import classes from './plantao-page.module.css'
import { ScreenButtons } from './screen-buttons.tsx'
import { useFila } from './use-fila.ts'
import { useHeld } from './use-held.ts'
import { usePlantaoKeys } from './use-plantao-keys.ts'

/** Dialogs are not a part of the first load. */
const KeyboardHelp = lazy(async () => ({ default: (await import('./keyboard-help.tsx')).KeyboardHelp }))

/** No incidente is selected: the keys then answer nothing. */
const NOBODY: Pick<Incidente, 'id' | 'camera_id' | 'camera_nome'> = { id: 0, camera_id: 0, camera_nome: '' }

/** First page: the cameras beside the queue of incidentes. */
export function PlantaoPage() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa = null, situacao = 'sem_resposta' } = useSearch({ from: '/painel/' })
  const navigate = useNavigate({ from: '/' })
  const wide = useWide()
  const [view, setView] = useState<'fila' | 'cameras'>('fila')
  const [isHelpOpen, setHelpOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const work = useRef<HTMLElement>(null)
  const isHeld = useHeld(list)
  const fila = useFila({ empresa, situacao }, isHeld)
  const { selected, select: pick } = fila
  const answering = useAnswer(selected ?? NOBODY)
  const { data: cameras } = useQuery(camerasQuery(api, empresa))
  const camera = cameras?.find(({ id }) => id === selected?.camera_id)
  usePageTitle(t('plantao.titulo'))

  usePlantaoKeys({
    incidente: selected,
    answering,
    fila,
    isOpen: !isHelpOpen,
    onHelp: () => setHelpOpen(true),
    onFullScreen: toggleFullScreen,
    onOpen(id) {
      void navigate({ to: '/incidentes/$id', params: { id } })
    },
  })

  const select = useCallback(
    (id: number) => {
      pick(id)
      // On a phone the chosen incidente is above the list.
      if (!wide) work.current?.scrollIntoView({ block: 'start' })
    },
    [pick, wide],
  )

  const showsFila = wide || view === 'fila'
  const showsCameras = wide || view === 'cameras'
  const isEmpty = fila.isReady && fila.itens.length === 0
  return (
    <div className={classes.page}>
      <div className={classes.top}>
        <h1>{t('plantao.titulo')}</h1>
        {wide && <FilaNews fila={fila} />}
        {!wide && (
          <SegmentedControl
            aria-label={t('plantao.vistas')}
            value={view}
            onChange={(value) => setView(value === 'cameras' ? 'cameras' : 'fila')}
            data={[
              { value: 'fila', label: t('plantao.verFila') },
              { value: 'cameras', label: t('plantao.verCameras') },
            ]}
          />
        )}
        <ScreenButtons onHelp={() => setHelpOpen(true)} />
      </div>
      <div className={classes.columns}>
        {showsCameras && cameras && (
          <div className={classes.mosaic}>
            <MosaicView cameras={cameras} selected={selected} alarming={fila.itens} />
            {/* At the end, because nothing may move when a camera goes offline. */}
            <DownNow />
          </div>
        )}
        {showsFila && (
          <section ref={work} className={classes.work} aria-label={t('plantao.fila')}>
            {selected && (
              <IncidentePanel
                key={selected.id}
                incidente={selected}
                camera={camera}
                answering={answering}
                onNext={fila.next}
              />
            )}
            <div ref={list} className={classes.queue}>
              <FilaList
                fila={fila}
                onSelect={select}
                situacao={situacao}
                onSituacao={(next) => void navigate({ search: (now) => ({ ...now, situacao: next }), replace: true })}
              />
              {!fila.isReady && !fila.error && <FilaSkeleton />}
              {fila.error && !fila.isReady && <Failure error={fila.error} onRetry={fila.retry} />}
              {isEmpty && (
                <NoIncidentes
                  situacao={situacao}
                  hasCamera={cameras === undefined || cameras.length > 0}
                  mayAdd={me.papel === 'administrador'}
                />
              )}
            </div>
          </section>
        )}
      </div>
      {isHelpOpen && (
        <Suspense>
          <KeyboardHelp onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
