import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouteContext, useSearch } from '@tanstack/react-router'
import type { Incidente } from '@vigia/contracts/incidentes'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { camerasQuery } from '../../../api/queries.ts'
import { NOTE_ID, useAnswer } from '../../../domains/eventos/incidentes/use-answer.ts'
import { DownNow } from '../../../domains/eventos/quedas/down-now.tsx'
import { useServices } from '../../../session/services.ts'
import { usePageTitle } from '../../../session/use-page-title.ts'
import { Failure } from '../../../ui/failure.tsx'
import { toggleFullScreen } from '../../../ui/use-full-screen.ts'
import { useWide } from '../../../ui/use-wide.ts'
import { FilaList } from './fila-list.tsx'
import { FilaNews } from './fila-news.tsx'
import { FilaSkeleton } from './fila-skeleton.tsx'
import { NoIncidentes } from './no-incidentes.tsx'
import classes from './plantao-page.module.css'
import { ScreenButtons } from './screen-buttons.tsx'
import { useFila } from './use-fila.ts'
import { useHeld } from './use-held.ts'
import { usePlantaoKeys } from './use-plantao-keys.ts'

/** The queue is painted first. */
const Selected = lazy(async () => ({ default: (await import('./selected.tsx')).Selected }))
const CalmStage = lazy(async () => ({ default: (await import('./calm-stage.tsx')).CalmStage }))
/** Dialogs are not a part of the first load. */
const KeyboardHelp = lazy(async () => ({ default: (await import('./keyboard-help.tsx')).KeyboardHelp }))

/** No incidente is selected: the keys then answer nothing. */
const NOBODY: Pick<Incidente, 'id' | 'camera_id' | 'camera_nome'> = { id: 0, camera_id: 0, camera_nome: '' }

/** First page: the queue of incidentes, and the selected one with its answers. */
export function PlantaoPage() {
  const { t } = useTranslation()
  const { empresa = null, situacao = 'sem_resposta', cliente, gravidade, ia } = useSearch({ from: '/painel/' })
  const navigate = useNavigate({ from: '/' })
  const wide = useWide()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const work = useRef<HTMLElement>(null)
  const isHeld = useHeld(list)
  const fila = useFila({ empresa: empresa ?? cliente ?? null, situacao }, { gravidade, ia }, isHeld)
  const { selected, select: pick } = fila
  const answering = useAnswer(selected ?? NOBODY)
  usePageTitle(t('plantao.titulo'))

  usePlantaoKeys({
    incidente: selected,
    answering,
    fila,
    isOpen: !isHelpOpen,
    onHelp: () => setHelpOpen(true),
    onNote: () => document.getElementById(NOTE_ID)?.focus(),
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

  const queue = (
    <div ref={list} className={classes.queue} data-fila="" data-parado={fila.isIdle || undefined}>
      <FilaList fila={fila} situacao={situacao} onSelect={select} />
      {!fila.isReady && !fila.error && <FilaSkeleton />}
      {fila.error && !fila.isReady && <Failure error={fila.error} onRetry={fila.retry} />}
      {fila.isReady && fila.itens.length === 0 && <Nothing situacao={situacao} />}
    </div>
  )
  return (
    <div className={classes.page} data-fills="">
      <div className={classes.top}>
        <h1>{t('plantao.titulo')}</h1>
        {wide && <FilaNews fila={fila} />}
        <ScreenButtons onHelp={() => setHelpOpen(true)} />
      </div>
      <div className={classes.columns}>
        {wide && queue}
        {selected ? (
          <article ref={work} className={classes.work} aria-labelledby="incidente-escolhido">
            <Suspense>
              <Selected key={selected.id} incidente={selected} answering={answering} onNext={fila.next} />
            </Suspense>
          </article>
        ) : (
          wide && (
            <Suspense>
              <CalmStage />
            </Suspense>
          )
        )}
        {!wide && queue}
      </div>
      {/* At the end, because nothing may move when a camera goes offline. */}
      {!wide && <DownNow />}
      {isHelpOpen && (
        <Suspense>
          <KeyboardHelp onClose={() => setHelpOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}

function Nothing({ situacao }: Pick<Parameters<typeof NoIncidentes>[0], 'situacao'>) {
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa = null } = useSearch({ from: '/painel' })
  const { data: cameras } = useQuery(camerasQuery(api, empresa))
  return (
    <NoIncidentes
      situacao={situacao}
      hasCamera={cameras === undefined || cameras.length > 0}
      mayAdd={me.papel === 'administrador'}
    />
  )
}
