import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ownAddress } from '../../api/base-path.ts'
import { meQuery } from '../../api/queries.ts'
import { formatClock, formatDay } from '../../base/tempo/format-time.ts'
import { useNow } from '../../base/tempo/use-now.ts'
import { useServices } from '../../session/services.ts'
import { Warning } from '../../ui/warning.tsx'
import { nearLimit } from './renewal-times.ts'
import { useRenewal } from './use-renewal.ts'

/** Renews the session of the page, and warns before its limit. */
export function SessionLimit() {
  const { t } = useTranslation()
  const { api, rememberPath } = useServices()
  const { me: loaded } = useRouteContext({ from: '/painel' })
  const { data: me = loaded } = useQuery(meQuery(api))
  const now = useNow()
  const { sessao } = me
  useRenewal(sessao)
  if (sessao === null) return null
  const { renova_ate, quiosque } = sessao
  if (!nearLimit(Date.parse(renova_ate) - now, quiosque !== null)) return null
  const quando = { dia: formatDay(renova_ate, now, null), hora: formatClock(renova_ate, null).slice(0, 5) }
  return (
    <Warning role="status" data-testid="limite-sessao">
      {t(quiosque === null ? 'painel.sessao.limite' : 'painel.sessao.limiteQuiosque', quando)}{' '}
      {quiosque === null && (
        <a href={ownAddress('/login')} onClick={rememberPath}>
          {t('painel.sessao.entrar')}
        </a>
      )}
    </Warning>
  )
}
