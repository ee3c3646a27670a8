import { type InscricaoPush, inscricaoPushSchema, pushSchema } from '@vigia/contracts/push'
import type { Api } from '../../../api/client.ts'
import type { PageStorage } from '../../../base/storage.ts'
import { currentSubscription, INSCRICAO } from './leave-with-push.ts'
import type { PushFacts } from './push-state.ts'

/** @param known whether the cloud has the subscription of this browser */
export async function pushFacts(known: boolean): Promise<PushFacts> {
  const supported = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  const iOS =
    /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && 'ontouchend' in document)
  return {
    secure: isSecureContext,
    supported,
    needsInstall: iOS && !matchMedia('(display-mode: standalone)').matches,
    permission: supported ? Notification.permission : 'default',
    subscribed: known && (await currentSubscription()) !== null,
  }
}

/** Id of this browser's subscription in the cloud; null: none known. */
export const ownInscricaoId = (settings: PageStorage): number | null => Number(settings.getItem(INSCRICAO)) || null

/**
 * Asks the person for permission and subscribes this browser, or changes its subscription. A subscription for another
 * key of the cloud is replaced.
 * @returns null: the person refused
 * @throws VigiaError of the cloud; DOMException of the browser
 */
export async function subscribeBrowser(
  { api, settings }: { readonly api: Api; readonly settings: PageStorage },
  choice: Pick<InscricaoPush, 'gravidade_min' | 'nome'>,
): Promise<InscricaoPush | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const { chave_publica } = await api.get('/push', pushSchema)
  const key = decodeBase64url(chave_publica)
  const registration = await navigator.serviceWorker.ready
  const former = await registration.pushManager.getSubscription()
  if (former && !sameBytes(former.options.applicationServerKey, key)) await former.unsubscribe()
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  const { endpoint, keys } = subscription.toJSON()
  const inscricao = await api.send(
    'POST',
    '/me/inscricoes',
    { endpoint, chaves: { p256dh: keys?.p256dh, auth: keys?.auth }, ...choice },
    inscricaoPushSchema,
  )
  settings.setItem(INSCRICAO, String(inscricao.id))
  return inscricao
}

function decodeBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(binary, (char) => char.charCodeAt(0))
}

function sameBytes(a: ArrayBuffer | null, b: Uint8Array): boolean {
  if (a?.byteLength !== b.length) return false
  const bytes = new Uint8Array(a)
  return b.every((byte, index) => bytes[index] === byte)
}
