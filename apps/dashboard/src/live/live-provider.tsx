import { useSearch } from '@tanstack/react-router'
import type { Evento } from '@vigia/contracts/eventos'
import { ia } from '@vigia/contracts/ias'
import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnnounce } from '../painel/announcer.tsx'
import { useServices } from '../services.ts'
import { createAlertStream, type StreamState } from './alert-stream.ts'
import { applyCamera, applyEvento, applyQueda, refetchLive } from './apply-live.ts'

/** Alerts that arrive together are announced together, ms. */
const GATHER_MS = 800

interface Live {
  readonly state: StreamState
  /** Confirmed alerts that came while nobody looked at the page. */
  readonly unseen: number
}

const LiveContext = createContext<Live>({ state: 'conectando', unseen: 0 })
export const useLive = () => use(LiveContext)

const watched = () => document.visibilityState === 'visible' && document.hasFocus()

/** Keeps the alert stream open while the page behind the sign-in is shown, and spreads what it brings. */
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
    const stream = createAlertStream({
      url: '/api/v1/sse/alertas?todos=true',
      fetch: (...args) => fetch(...args),
      onState(next) {
        setState(next)
        if (next !== 'expirada') return
        // Nobody may be looking: an unwatched sign-in page is a night without alerts.
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
    const look = () => {
      if (!watched()) return
      setUnseen(0)
      stream.hurry()
    }
    stream.start()
    addEventListener('online', stream.hurry)
    addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      stream.stop()
      removeEventListener('online', stream.hurry)
      removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [queries, recent, sound, endSession])

  return <LiveContext value={{ state, unseen }}>{children}</LiveContext>
}

/** Says a new alert, or how many, to who listens to the page. */
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
        announce(t('alertas.anuncio', { titulo: ia(evento.tipo).titulo, camera: evento.camera_nome, gravidade }))
      }, GATHER_MS)
    },
    [t, announce],
  )
}
