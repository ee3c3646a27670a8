import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type Preferencias, type PreferenciasPatch, preferenciasSchema } from '@vigia/contracts/preferencias'
import { useState } from 'react'
import { preferenciasQuery } from '../api/preferencias-query.ts'
import { useServices } from './services.ts'

const STORAGE_KEY = 'vigia.preferencias'
const NONE: Preferencias = { frases: [], mosaicos: [] }

/**
 * The phrases and layouts of the login, which the cloud keeps. A screen in kiosk mode has no login: its browser keeps
 * them.
 */
export function usePreferencias() {
  const { api, queries, settings } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const isLogin = me.id !== null
  const { data } = useQuery({ ...preferenciasQuery(api), enabled: isLogin })
  const [own, setOwn] = useState(() => readOwn(settings.getItem(STORAGE_KEY)))
  return {
    preferencias: (isLogin ? data : own) ?? NONE,
    isReady: !isLogin || data !== undefined,
    /** @throws VigiaError of the cloud */
    async save(change: PreferenciasPatch): Promise<void> {
      if (isLogin) {
        const saved = await api.send('PATCH', '/me/preferencias', change, preferenciasSchema)
        queries.setQueryData(preferenciasQuery(api).queryKey, saved)
        return
      }
      const next = preferenciasSchema.parse({ ...own, ...change })
      settings.setItem(STORAGE_KEY, JSON.stringify(next))
      setOwn(next)
    },
  }
}

function readOwn(text: string | null): Preferencias {
  try {
    return preferenciasSchema.parse(JSON.parse(text ?? ''))
  } catch {
    return NONE
  }
}
