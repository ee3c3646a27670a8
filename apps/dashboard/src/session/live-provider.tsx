import { useQuery } from '@tanstack/react-query'
import { useRouteContext, useSearch } from '@tanstack/react-router'
import type { Incidente } from '@vigia/contracts/incidentes'
import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownAddress } from '../api/base-path.ts'
import { filaQuery } from '../api/queries.ts'
import { isUnanswered } from '../live/alarm.ts'
import { createAlertaStream, type StreamState } from '../live/alerta-stream.ts'
import { applyCamera, applyEvento, applyIncidente, applyQueda, refetchLive } from '../live/apply-live.ts'
import { useIncidenteTitle } from '../live/incidente-title.ts'
import { useAnnounce } from '../ui/announcer.tsx'
import { useStays } from '../ui/use-stays.ts'
import { isQuiosque } from './is-quiosque.ts'
import { useServices } from './services.ts'
import { useAlarm } from './use-alarm.ts'

/** Time in which arriving incidentes are collected for one announcement. */
const GATHER_MS = 800
/** Duration of a lost connection before the page reports it. A short interruption changes only the header. */
const LOST_MS = 3_000

interface Live {
  readonly state: StreamState
  /** The connection has been lost for some seconds: the page may be out of date. */
  readonly lost: boolean
  /** Number of incidentes that were confirmed while the page was hidden or without focus. */
  readonly unseen: number
}

const LiveContext = createContext<Live>({ state: 'conectando', lost: false, unseen: 0 })
export const useLive = () => use(LiveContext)

const watched = () => document.visibilityState === 'visible' && document.hasFocus()

/** Keeps the alert stream open on all pages behind the sign-in, and distributes its messages. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { api, queries, incidentes, sound, endSession } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const [state, setState] = useState<StreamState>('conectando')
  const [unseen, setUnseen] = useState(0)
  const announceNews = useAnnounceNews()
  const onNews = useRef<(incidente: Incidente) => void>(() => {})
  const { data: fila } = useQuery(filaQuery(api, empresa ?? null, 'sem_resposta'))

  useEffect(() => {
    if (fila) incidentes.put(fila, 'api')
  }, [fila, incidentes])

  useEffect(() => sound.use(me.username, isQuiosque(me)), [sound, me])
  const lost = useStays(state === 'reconectando', LOST_MS)
  useAlarm(lost)

  useEffect(() => {
    onNews.current = (incidente) => {
      if (empresa !== undefined && incidente.empresa_id !== empresa) return
      announceNews(incidente)
      if (!watched()) setUnseen((count) => count + 1)
    }
  }, [empresa, announceNews])

  useEffect(() => {
    const stream = createAlertaStream({
      url: ownAddress('/api/v1/sse/alertas?todos=true&incidentes=true'),
      fetch: (...args) => fetch(...args),
      onState(next) {
        setState(next)
        if (next !== 'expirada') return
        // The page may be unattended: the sound warns that it receives no more incidentes.
        sound.once('contato')
        endSession()
      },
      onEvento: (evento) => applyEvento(queries, evento),
      onIncidente(incidente) {
        const before = incidentes.all().get(incidente.id)?.incidente
        incidentes.put([incidente], 'stream')
        applyIncidente(queries, incidente)
        const isNews = incidente.veredito === 'confirmado' && before?.veredito !== 'confirmado'
        if (isNews && isUnanswered(incidente)) onNews.current(incidente)
      },
      onCamera: (change) => applyCamera(queries, change),
      onQueda: (queda) => applyQueda(queries, queda),
      onGap: () => refetchLive(queries),
    })
    const onWatched = () => {
      if (!watched()) return
      setUnseen(0)
      stream.hurry()
    }
    stream.start()
    addEventListener('online', stream.hurry)
    addEventListener('offline', stream.reconnect)
    addEventListener('focus', onWatched)
    document.addEventListener('visibilitychange', onWatched)
    return () => {
      stream.stop()
      removeEventListener('online', stream.hurry)
      removeEventListener('offline', stream.reconnect)
      removeEventListener('focus', onWatched)
      document.removeEventListener('visibilitychange', onWatched)
    }
  }, [queries, incidentes, sound, endSession])

  return <LiveContext value={{ state, lost, unseen }}>{children}</LiveContext>
}

/** Announces a new incidente, or the number of new ones, to screen readers. */
function useAnnounceNews(): (incidente: Incidente) => void {
  const { t } = useTranslation()
  const announce = useAnnounce()
  const titleOf = useIncidenteTitle()
  const gathered = useRef<Incidente[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(
    (incidente) => {
      gathered.current.push(incidente)
      if (gathered.current.length > 1) return
      timer.current = setTimeout(() => {
        const news = gathered.current.splice(0)
        if (news.length > 1) return announce(t('alertas.anuncioVarios', { count: news.length }))
        const gravidade = t(`alertas.gravidade.${incidente.gravidade}`).toLowerCase()
        const titulo = [titleOf(incidente), incidente.placa?.texto].filter(Boolean).join(', ')
        announce(t('alertas.anuncio', { titulo, camera: incidente.camera_nome, gravidade }))
      }, GATHER_MS)
    },
    [t, announce, titleOf],
  )
}
