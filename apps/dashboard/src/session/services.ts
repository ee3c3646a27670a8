import type { QueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { Api } from '../api/client.ts'
import type { PageStorage } from '../base/storage.ts'
import type { AlarmSound } from '../live/alarm-sound.ts'
import type { Incidentes } from '../live/incidentes.ts'
import type { Texts } from '../texts/i18n.ts'

/** Objects that start.tsx creates once for the whole page. */
export interface Services {
  readonly api: Api
  readonly queries: QueryClient
  readonly incidentes: Incidentes
  readonly sound: AlarmSound
  readonly texts: Texts
  /** Settings of this browser. */
  readonly settings: PageStorage
  /** Address of a path of this installation, which begins with `/`. */
  ownAddress(path: string): string
  /** Opens the sign-in page, which returns to the current page. */
  endSession(): void
  /** Makes the next sign-in return to the current page. */
  rememberPath(): void
}

export const ServicesContext = createContext<Services | null>(null)

export function useServices(): Services {
  const services = use(ServicesContext)
  if (!services) throw new Error('ServicesContext is missing')
  return services
}
