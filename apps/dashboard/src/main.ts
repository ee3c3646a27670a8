/**
 * What has to stand before any other module of the page runs, and therefore the only thing that this file does before it
 * loads the rest:
 * - zod must not try to generate code: the Content-Security-Policy forbids it, and even the attempt is reported.
 * - what writes <style> elements (the scroll lock of dialogs) takes the nonce of this answer from a webpack global.
 * - the colour scheme, so that the first paint of a night shift is not white.
 */
Object.assign(globalThis, {
  __zod_globalConfig: { jitless: true },
  __webpack_nonce__: document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '',
})
const light = matchMedia('(prefers-color-scheme: light)').matches
document.documentElement.dataset.mantineColorScheme = light ? 'light' : 'dark'

const { start } = await import('./start.tsx')
start()

export {}
