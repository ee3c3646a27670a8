import type { TFunction } from 'i18next'

/** Where an agent is given its access, in words: a site by its name, a program on the person's computer, an app by its scheme. */
export function redirectPlace(t: TFunction<'pagina'>, host: string): string {
  if (host === 'localhost') return t('agentes.esteComputador')
  return host.endsWith(':') ? t('agentes.aplicativo', { nome: host.slice(0, -1) }) : host
}
