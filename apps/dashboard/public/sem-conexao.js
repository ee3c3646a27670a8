/** Time between two attempts to reach the cloud, ms. */
const RETRY_MS = 15_000

/** This file lies directly below the path of the installation. */
const HEALTH = new URL('healthz', document.currentScript.src)

/** Opens the requested page as soon as the cloud answers: this page has the address of the requested one. */
async function retry() {
  const answer = await fetch(HEALTH, { cache: 'no-store' }).catch(() => null)
  if (answer) location.reload()
}

addEventListener('online', retry)
document.querySelector('button')?.addEventListener('click', () => location.reload())
setInterval(retry, RETRY_MS)
