/**
 * Service worker of the dashboard: answers a page that the network does not deliver with the offline page, and shows
 * the messages of Web Push. It stores only the files of that page, and never an answer of the API: an old alert must
 * not appear as a current one.
 */
const CACHE = 'vigia-sem-conexao-1'
/** Address of a path of this installation, which may be below a path of its host. */
const own = (path) => new URL(`.${path}`, registration.scope).href
const PAGE = own('/sem-conexao.html')
const FILES = [PAGE, own('/sem-conexao.css'), own('/sem-conexao.js'), own('/favicon.svg')]

addEventListener('install', (event) => {
  // `reload` passes by the cache of HTTP, which may hold the files of the former version.
  const fresh = FILES.map((file) => new Request(file, { cache: 'reload' }))
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)))
  skipWaiting()
})

addEventListener('activate', (event) => {
  const removeOld = async () => {
    const names = await caches.keys()
    await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)))
    await clients.claim()
  }
  event.waitUntil(removeOld())
})

addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => stored(PAGE)))
  else if (FILES.includes(request.url)) event.respondWith(fetch(request).catch(() => stored(request)))
})

/** The stored file, or the error of a failed request. */
async function stored(request) {
  const cache = await caches.open(CACHE)
  return (await cache.match(request)) ?? Response.error()
}

addEventListener('push', (event) => event.waitUntil(showAviso(readAviso(event.data))))

/** The message (packages/contracts, push.ts). Browsers require a notification for each push, also an unreadable one. */
function readAviso(data) {
  try {
    return data.json()
  } catch {
    return { titulo: 'Vigia', corpo: 'Há um aviso no painel.', link: '/', etiqueta: 'aviso', gravidade: 'alta' }
  }
}

const showAviso = ({ titulo, corpo, link, imagem, etiqueta, gravidade }) =>
  registration.showNotification(titulo, {
    body: corpo,
    ...(imagem && { image: own(imagem) }),
    icon: own('/icons/vigia-192.png'),
    tag: etiqueta,
    renotify: true,
    requireInteraction: gravidade === 'alta' || gravidade === 'critica',
    lang: 'pt-BR',
    data: { link },
  })

addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data.link))
})

/** Opens a page of this dashboard, in a window of it if there is one. */
async function openPage(link) {
  const url = new URL(own(link))
  if (url.origin !== location.origin) return
  const [open] = await clients.matchAll({ type: 'window' })
  if (!open) return clients.openWindow(url)
  const moved = await open.navigate(url)
  await moved?.focus()
}
