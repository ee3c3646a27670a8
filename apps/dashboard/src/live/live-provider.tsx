import { useSearch } from '@tanstack/react-router'
import type { Evento } from '@vigia/contracts/eventos'
import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'
import { textsOfIa } from '../texts/ia-texts.ts'
import { createAlertaStream, type StreamState } from './alerta-stream.ts'
import { applyCamera, applyEvento, applyQueda, refetchLive } from './apply-live.ts'

/** Time in which arriving alerts are collected for one announcement. */
const GATHER_MS = 800

interface Live {
  readonly state: StreamState
  /** Number of confirmed alerts that arrived while the page was hidden or without focus. */
  readonly unseen: number
}

const LiveContext = createContext<Live>({ state: 'conectando', unseen: 0 })
export const useLive = () => use(LiveContext)

const watched = () => document.visibilityState === 'visible' && document.hasFocus()

/** Keeps the alert stream open on all pages behind the sign-in, and distributes its messages. */
export function LiveProvider({ children }: { children: ReactNode }) {
  const { queries, recent, sound, endSession } = useServices()
  const { empresa } = useSearch({ from: '/painel' })
  const [state, setState] = useState<StreamState>('conectando')
  const [unseen, setUnseen] = useState(0)
  const announceNews = useAnnounceNews()
  const onNews = useRef<(evento: Evento) => void>(() => {})

  useEffect(() => {
    onNews.current = (evento) => {
      if (empresa !== undefined && evento.empresa_id !== empresa) return
      sound.play()
      announceNews(evento)
      if (!watched()) setUnseen((count) => count + 1)
    }
  }, [empresa, sound, announceNews])

  useEffect(() => {
    const stream = createAlertaStream({
      url: '/api/v1/sse/alertas?todos=true',
      fetch: (...args) => fetch(...args),
      onState(next) {
        setState(next)
        if (next !== 'expirada') return
        // The page may be unattended: the sound warns that it receives no more alerts.
        sound.play()
        endSession()
      },
      onEvento(evento, confirmed) {
        const isNews = recent.add(evento, Date.now())
        applyEvento(queries, evento)
        if (confirmed && isNews) onNews.current(evento)
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
    addEventListener('focus', onWatched)
    document.addEventListener('visibilitychange', onWatched)
    return () => {
      stream.stop()
      removeEventListener('online', stream.hurry)
      removeEventListener('focus', onWatched)
      document.removeEventListener('visibilitychange', onWatched)
    }
  }, [queries, recent, sound, endSession])

  return <LiveContext value={{ state, unseen }}>{children}</LiveContext>
}

/** Announces a new alert, or the number of new alerts, to screen readers. */
function useAnnounceNews(): (evento: Evento) => void {
  const { t } = useTranslation()
  const announce = useAnnounce()
  const gathered = useRef<Evento[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(
    (evento) => {
      gathered.current.push(evento)
      if (gathered.current.length > 1) return
      timer.current = setTimeout(() => {
        const news = gathered.current.splice(0)
        if (news.length > 1) return announce(t('alertas.anuncioVarios', { count: news.length }))
        const gravidade = t(`alertas.gravidade.${evento.gravidade}`).toLowerCase()
        announce(t('alertas.anuncio', { titulo: textsOfIa(evento.tipo).titulo, camera: evento.camera_nome, gravidade }))
      }, GATHER_MS)
    },
    [t, announce],
  )
}
