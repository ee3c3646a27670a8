import { ownAddress } from '../api/base-path.ts'
/**
 * Registers `public/sw.js`, which shows a page without a network. Browsers allow it on HTTPS and on this computer only;
 * everywhere else the dashboard works without it.
 */
export async function registerServiceWorker(): Promise<void> {
  if (!isSecureContext || !('serviceWorker' in navigator)) return
  try {
    await navigator.serviceWorker.register(ownAddress('/sw.js'))
  } catch (error) {
    // A browser may refuse it, e.g. in a private window or under a certificate that it does not trust.
    console.info('Service worker not registered', error)
  }
}
