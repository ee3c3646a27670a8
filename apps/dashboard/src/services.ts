import type { QueryClient } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { Api } from './api/client.ts'
import type { AlertSound } from './live/alert-sound.ts'
import type { RecentEvents } from './live/recent-events.ts'

/** What start.tsx makes once and the page uses everywhere. */
export interface Services {
  readonly api: Api
  readonly queries: QueryClient
  readonly recent: RecentEvents
  readonly sound: AlertSound
  /** To the sign-in page, and back here after it. */
  endSession(): void
  /** The sign-in that follows comes back to where the person is now. */
  rememberPath(): void
}

export const ServicesContext = createContext<Services | null>(null)

export function useServices(): Services {
  const services = use(ServicesContext)
  if (!services) throw new Error('ServicesContext is missing')
  return services
}
