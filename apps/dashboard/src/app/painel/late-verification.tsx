import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { empresasQuery, filaVerificacaoQuery } from '../../api/queries.ts'
import { formatDuration } from '../../base/tempo/format-time.ts'
import { useServices } from '../../session/services.ts'
import { Warning } from '../../ui/warning.tsx'

const NAMED = 3

/** Warns if the oldest event waits too long for its verdict: without verdicts there are no alerts. */
export function LateVerification() {
  const { t } = useTranslation()
  const { api } = useServices()
  const { me } = useRouteContext({ from: '/painel' })
  const { empresa } = useSearch({ from: '/painel' })
  const { data } = useQuery(filaVerificacaoQuery(api, empresa ?? null))
  const { data: empresas } = useQuery(empresasQuery(api))
  const late = data?.filter(({ atrasada }) => atrasada) ?? []
  if (late.length === 0) return null
  const names = late.map(({ empresa_id }) => empresas?.find(({ id }) => id === empresa_id)?.nome ?? `${empresa_id}`)
  const shown = [...names.slice(0, NAMED), ...(names.length > NAMED ? ['…'] : [])].join(', ')
  const tempo = formatDuration(Math.max(...late.map(({ espera_s }) => espera_s)) * 1000)
  return (
    <Warning role="status" data-testid="verificacao-atrasada">
      {t('painel.atraso', { tempo, empresas: shown })}{' '}
      {me.papel === 'administrador' && <Link to="/pendencias">{t('painel.atrasoVer')}</Link>}
    </Warning>
  )
}
