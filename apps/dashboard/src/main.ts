/**
 * Settings that must exist before any other module of the page runs; this file therefore imports the rest dynamically:
 * - zod must not generate code: the Content-Security-Policy forbids it, and browsers report even the attempt.
 * - The scroll lock of dialogs writes <style> elements and reads the nonce of this answer from a webpack global.
 * - The colour scheme must be set before the first paint, which is otherwise white in the dark scheme.
 */
Object.assign(globalThis, {
  __zod_globalConfig: { jitless: true },
  __webpack_nonce__: document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? '',
})
const light = matchMedia('(prefers-color-scheme: light)').matches
document.documentElement.dataset.mantineColorScheme = light ? 'light' : 'dark'

const { start } = await import('./app/start.tsx')
await start()

export {}
