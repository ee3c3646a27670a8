import type { TFunction } from 'i18next'

/**
 * Describes the redirect target of an agent: the name of a site, a program on the user's computer, or the scheme of an
 * app.
 */
export function redirectTarget(t: TFunction<'pagina'>, host: string): string {
  if (host === 'localhost') return t('agentes.esteComputador')
  return host.endsWith(':') ? t('agentes.aplicativo', { nome: host.slice(0, -1) }) : host
}
