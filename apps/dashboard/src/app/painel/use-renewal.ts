import { VigiaError } from '@vigia/contracts/errors'
import { type Me, SESSAO_S, tokenRenovadoSchema } from '@vigia/contracts/sessoes'
import { useEffect, useRef } from 'react'
import { meQuery } from '../../api/queries.ts'
import { useServices } from '../../session/services.ts'
import { firstRenewalMs, RETRY_MS, renewalDelayMs } from './renewal-times.ts'

/**
 * Renews the session while the page is open. The cookie of the answer replaces that of the browser, for all its tabs. A
 * computer that slept renews when the page is shown again. An ended session opens the sign-in page. A token that lasts
 * until the limit of the session is not renewed: it would get no more time.
 */
export function useRenewal(sessao: Me['sessao']): void {
  const { api, queries, endSession } = useServices()
  // Later times come from `expires_in`: with a wrong clock of the browser, `expira_em` would cause endless renewals.
  const first = useRef(sessao)

  useEffect(() => {
    const delayMs = first.current === null ? null : firstRenewalMs(first.current, Date.now())
    if (delayMs === null) return
    let due = Date.now() + delayMs
    let busy = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const stopped = new AbortController()

    const renew = async () => {
      busy = true
      try {
        const { expires_in } = await api.send('POST', '/auth/renovar', undefined, tokenRenovadoSchema)
        if (expires_in === SESSAO_S) due = Date.now() + renewalDelayMs(expires_in * 1000)
        else stopped.abort()
        await queries.invalidateQueries({ queryKey: meQuery(api).queryKey })
      } catch (error) {
        if (error instanceof VigiaError && error.code === 'nao_autenticado') endSession()
        due = Date.now() + RETRY_MS
      } finally {
        busy = false
        schedule()
      }
    }
    const schedule = () => {
      clearTimeout(timer)
      if (stopped.signal.aborted || busy) return
      timer = setTimeout(() => void renew(), Math.max(0, due - Date.now()))
    }
    // Timers of a hidden page and of a sleeping computer are late.
    const check = () => {
      if (document.visibilityState === 'visible' && Date.now() >= due) schedule()
    }
    schedule()
    document.addEventListener('visibilitychange', check, { signal: stopped.signal })
    addEventListener('online', check, { signal: stopped.signal })
    return () => {
      stopped.abort()
      clearTimeout(timer)
    }
  }, [api, queries, endSession])
}
