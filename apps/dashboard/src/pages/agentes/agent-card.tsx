import { IconPlugConnectedX } from '@tabler/icons-react'
import { useRouteContext } from '@tanstack/react-router'
import type { Autorizacao } from '@vigia/contracts/autorizacoes'
import { useTranslation } from 'react-i18next'
import { type Fuso, formatDay, formatFull, formatWhen } from '../../base/tempo/format-time.ts'
import { useNow } from '../../base/tempo/use-now.ts'
import { useEmpresa } from '../../session/use-empresa.ts'
import card from '../../ui/camera-card.module.css'
import { CardButton } from '../../ui/card-buttons.tsx'
import classes from './agentes-page.module.css'
import { redirectTarget } from './redirect-target.ts'

export interface AgentCardProps {
  readonly autorizacao: Autorizacao
  /** null: the current login may not revoke it. */
  readonly onTakeBack: (() => void) | null
}

/** Card of one agent: its stated name, the login that it acts for, its rights and the start of its access. */
export function AgentCard({ autorizacao, onTakeBack }: AgentCardProps) {
  const { t } = useTranslation()
  const { me } = useRouteContext({ from: '/painel' })
  const { fuso } = useEmpresa(me.empresa_id)
  const now = useNow()
  const { cliente_nome, client_id, redirect_hosts, username, escopo, efeitos } = autorizacao
  const { criada_em, usada_em, expira_em } = autorizacao
  const nome = cliente_nome ?? t('agentes.semNome')
  return (
    <article className={card.card} aria-label={nome}>
      <h3 className={card.name}>
        <bdi>{nome}</bdi>
      </h3>
      <p>{t('agentes.emNomeDe', { username })}</p>
      <p className={classes.scope}>{t(escopo === 'mcp' ? 'agentes.escopo.tudo' : 'agentes.escopo.leitura')}</p>
      {escopo === 'mcp' && (
        <p className={card.facts}>
          {efeitos.length === 0
            ? t('agentes.efeitos.nenhum')
            : t('agentes.efeitos.rotulo', {
                lista: efeitos.map((efeito) => t(`agentes.efeitos.${efeito}`)).join(', '),
              })}
        </p>
      )}
      <p className={card.facts}>
        <When iso={criada_em} fuso={fuso} text="agentes.dado" />
        {' · '}
        {usada_em === null ? t('agentes.nuncaUsado') : <When iso={usada_em} fuso={fuso} text="agentes.usado" />}
        <br />
        <time dateTime={expira_em} title={formatFull(expira_em, fuso)}>
          {t('agentes.ate', { data: formatDay(expira_em, now, fuso) })}
        </time>
      </p>
      <p className={card.soft}>
        {t('agentes.recebe', { onde: redirect_hosts.map((host) => redirectTarget(t, host)).join(', ') })}
      </p>
      <p className={classes.id}>{t('agentes.identificacao', { id: client_id })}</p>
      {onTakeBack && (
        <div className={card.controls}>
          <CardButton
            icon={IconPlugConnectedX}
            label={t('agentes.retirarRotulo', { nome, username })}
            onClick={onTakeBack}
          >
            {t('agentes.retirar')}
          </CardButton>
        </div>
      )}
    </article>
  )
}

function When({ iso, fuso, text }: { iso: string; fuso: Fuso; text: 'agentes.dado' | 'agentes.usado' }) {
  const { t } = useTranslation()
  const now = useNow()
  return (
    <time dateTime={iso} title={formatFull(iso, fuso)}>
      {t(text, { quando: formatWhen(iso, now, fuso) })}
    </time>
  )
}
