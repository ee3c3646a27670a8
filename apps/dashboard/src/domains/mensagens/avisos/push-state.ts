/** Facts about this browser that decide whether it can receive alerts. */
export interface PushFacts {
  /** HTTPS, or this computer. */
  readonly secure: boolean
  /** Service workers, the Push API and notifications. */
  readonly supported: boolean
  /** An iPhone or iPad whose page is not on its home screen: only installed pages have the Push API there. */
  readonly needsInstall: boolean
  readonly permission: NotificationPermission
  readonly subscribed: boolean
}

export type PushState = 'semHttps' | 'instalar' | 'semSuporte' | 'bloqueado' | 'desligado' | 'ligado'

/** The first obstacle that the person can remove, else whether alerts are on. */
export function pushState({ secure, supported, needsInstall, permission, subscribed }: PushFacts): PushState {
  if (!secure) return 'semHttps'
  if (needsInstall) return 'instalar'
  if (!supported) return 'semSuporte'
  if (permission === 'denied') return 'bloqueado'
  return subscribed && permission === 'granted' ? 'ligado' : 'desligado'
}
