import { ownAddress } from '../../../api/base-path.ts'
import type { PageStorage } from '../../../base/storage.ts'

/** Setting of this browser: the id of its subscription in the cloud. */
export const INSCRICAO = 'vigia.inscricao'

/** Whether this browser receives alerts of a login. */
export const hasOwnPush = (settings: PageStorage): boolean => settings.getItem(INSCRICAO) !== null

/** The subscription of this browser; null: none. */
export async function currentSubscription(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator)) return null
  const registration = await navigator.serviceWorker.getRegistration(ownAddress('/'))
  return (await registration?.pushManager?.getSubscription()) ?? null
}

/**
 * Ends the subscription in this browser. It needs no session: the push service then refuses further messages, and the
 * cloud removes the subscription.
 */
export async function unsubscribeBrowser(settings: PageStorage): Promise<void> {
  settings.removeItem(INSCRICAO)
  await (await currentSubscription())?.unsubscribe()
}

/** Ends the alerts of this browser, then its session: the next person on it must not receive them. */
export async function leaveWithPush(settings: PageStorage): Promise<void> {
  // If the browser refuses, the person still wants to leave.
  await unsubscribeBrowser(settings).catch((error: unknown) => console.info('Subscription not ended', error))
  location.assign(ownAddress('/logout'))
}
